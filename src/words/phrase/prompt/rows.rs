//! How the rows of a list become [`Prompt`](super::Prompt).

macro_rules! prompts {
    ($($(#[$doc:meta])* $name:ident $key:literal [$($slot:tt: $kind:ident),*];)*) => {
        /// Everything said beside moves. Each names its key in a pack and its slots, in the order
        /// in which they are given.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Prompt {
            $(
                $(#[$doc])*
                #[doc = ""]
                #[doc = concat!("`", $key, "`" $(, " `{", stringify!($slot), "}`")*)]
                $name,
            )*
        }

        impl Prompt {
            /// Every prompt, in the order of a pack.
            pub const ALL: &'static [Prompt] = &[$(Prompt::$name,)*];

            /// The key in a pack's `[prompts]`.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Prompt::$name => $key,)*
                }
            }

            /// Names and kinds of the slots, in the order in which they are given.
            pub const fn slots(self) -> &'static [(&'static str, SlotKind)] {
                match self {
                    $(Prompt::$name => &[$((stringify!($slot), SlotKind::$kind)),*],)*
                }
            }
        }
    };
}
