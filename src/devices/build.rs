//! Makes the stand-in for libvosk that the crate `vosk` links to; the real one is opened at run
//! time.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=voice/recognizer/vosk_shim.c");
    #[cfg(feature = "speech")]
    cc::Build::new().file("voice/recognizer/vosk_shim.c").warnings(true).compile("vosk");
}
