//! What a sentence has a place for.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// [`crate::phrase::Slot::Move`], [`crate::phrase::Slot::Words`] or
    /// [`crate::phrase::Slot::Spoken`].
    Move,
    /// [`crate::phrase::Slot::Moves`].
    Moves,
    /// [`crate::phrase::Slot::Square`].
    Square,
    /// [`crate::phrase::Slot::File`].
    File,
    /// [`crate::phrase::Slot::Rank`].
    Rank,
    /// [`crate::phrase::Slot::Squares`] or [`crate::phrase::Slot::ByRank`].
    Squares,
    /// [`crate::phrase::Slot::Piece`], [`crate::phrase::Slot::Several`]
    /// or [`crate::phrase::Slot::ColoredPiece`].
    Piece,
    /// [`crate::phrase::Slot::Pieces`], [`crate::phrase::Slot::OnFile`],
    /// [`crate::phrase::Slot::OnRank`] or [`crate::phrase::Slot::Counted`].
    Pieces,
    /// [`crate::phrase::Slot::Player`].
    Player,
    /// [`crate::phrase::Slot::Number`].
    Number,
    /// [`crate::phrase::Slot::Duration`].
    Duration,
    /// [`crate::phrase::Slot::Text`].
    Text,
}
