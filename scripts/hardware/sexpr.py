"""KiCad's files are nested lists in brackets: read into Python lists of strings and lists."""

import re
import uuid

TOKEN = re.compile(r'\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+')
# Names of things in KiCad's files are made from what they are, so they are the same each time.
SPACE = uuid.UUID("6f1a7c3e-0000-4000-8000-616e6e616265")


class Text(str):
    """A string that was in quotes."""


def read(text):
    """The outermost list."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif token[0] == '"':
            stack[-1].append(Text(token[1:-1].replace('\\"', '"').replace("\\\\", "\\")))
        else:
            stack[-1].append(token)
    return stack[0][0]


def all_of(node, name):
    return [part for part in node if isinstance(part, list) and part and part[0] == name]


def one(node, name):
    found = all_of(node, name)
    return found[0] if found else None


def numbers(node):
    return [float(word) for word in node[1:] if not isinstance(word, list) and re.fullmatch(r"-?[\d.]+", word)]


def quoted(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mm(value):
    """A length without more digits than it has."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def name_of(*words):
    return str(uuid.uuid5(SPACE, " ".join(map(str, words))))
