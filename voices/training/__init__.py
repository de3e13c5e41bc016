"""Makes the speech model in voices/model from nothing but packages: see README.md beside this file."""
