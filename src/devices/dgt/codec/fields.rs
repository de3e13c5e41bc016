//! The 64 fields, the pieces on them, and the way round in which the board lies.

use shakmaty::{Board, Color, Piece, Role, Square};

/// A field by the board's own number, 0 to 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// The field of this number; `None` above 63.
    pub fn new(number: u8) -> Option<Field> {
        (number < 64).then_some(Field(number))
    }

    /// 0 to 63.
    pub fn number(self) -> u8 {
        self.0
    }

    /// All fields, in the board's order.
    pub fn all() -> impl Iterator<Item = Field> {
        (0..64).map(Field)
    }
}

/// The way round in which the board lies. The board does not know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Facing {
    /// The connector is on White's left: field 0 is a8.
    #[default]
    ConnectorLeft,
    /// The connector is on White's right: field 0 is h1.
    ConnectorRight,
}

impl Facing {
    pub const ALL: [Facing; 2] = [Facing::ConnectorLeft, Facing::ConnectorRight];

    pub fn square(self, field: Field) -> Square {
        // Fields run from a8 along the ranks: the ranks are the other way about than in `Square`.
        Square::new(u32::from(self.turned(field.0) ^ 0o70))
    }

    pub fn field(self, square: Square) -> Field {
        Field(self.turned(u8::from(square) ^ 0o70))
    }

    /// The other way round.
    pub fn other(self) -> Facing {
        match self {
            Facing::ConnectorLeft => Facing::ConnectorRight,
            Facing::ConnectorRight => Facing::ConnectorLeft,
        }
    }

    fn turned(self, number: u8) -> u8 {
        match self {
            Facing::ConnectorLeft => number,
            Facing::ConnectorRight => 63 - number,
        }
    }
}

/// A piece by which a result is shown on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Draw,
    WhiteWins,
    BlackWins,
}

/// The content of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Code {
    #[default]
    Empty,
    Piece(Piece),
    Marker(Marker),
}

/// Codes 1 to 6 are White's, 7 to 12 Black's, in this order.
const ROLES: [Role; 6] =
    [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::King, Role::Queen];

impl Code {
    /// Reads a piece code; only its low four bits count.
    pub fn from_nibble(byte: u8) -> Code {
        match byte & 0x0F {
            0 => Code::Empty,
            n @ 1..=6 => Code::Piece(ROLES[usize::from(n) - 1].of(Color::White)),
            n @ 7..=12 => Code::Piece(ROLES[usize::from(n) - 7].of(Color::Black)),
            13 => Code::Marker(Marker::Draw),
            14 => Code::Marker(Marker::WhiteWins),
            _ => Code::Marker(Marker::BlackWins),
        }
    }

    /// The piece code, 0 to 15.
    pub fn nibble(self) -> u8 {
        match self {
            Code::Empty => 0,
            Code::Piece(piece) => {
                // Six roles: every one has its place.
                let role = ROLES.iter().position(|role| *role == piece.role).unwrap_or(0) as u8;
                role + piece.color.fold_wb(1, 7)
            }
            Code::Marker(Marker::Draw) => 13,
            Code::Marker(Marker::WhiteWins) => 14,
            Code::Marker(Marker::BlackWins) => 15,
        }
    }

    /// The piece, if it is one.
    pub fn piece(self) -> Option<Piece> {
        match self {
            Code::Piece(piece) => Some(piece),
            Code::Empty | Code::Marker(_) => None,
        }
    }
}

/// All fields at once, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump([Code; 64]);

impl Dump {
    /// A dump of these codes.
    pub fn new(codes: [Code; 64]) -> Dump {
        Dump(codes)
    }

    /// The dump of a board that lies this way and shows `board`.
    pub fn of(board: &Board, facing: Facing) -> Dump {
        let mut codes = [Code::Empty; 64];
        for (square, piece) in board.clone() {
            codes[usize::from(facing.field(square).number())] = Code::Piece(piece);
        }
        Dump(codes)
    }

    pub(super) fn read(data: &[u8]) -> Option<Dump> {
        let data: &[u8; 64] = data.try_into().ok()?;
        Some(Dump(data.map(Code::from_nibble)))
    }

    /// The codes by field number.
    pub fn codes(&self) -> &[Code; 64] {
        &self.0
    }

    /// The content of a field.
    pub fn code(&self, field: Field) -> Code {
        self.0[usize::from(field.number())]
    }

    /// Takes in a field update.
    pub fn update(&mut self, field: Field, code: Code) {
        self.0[usize::from(field.number())] = code;
    }

    /// The pieces as they stand on a board that lies this way. A marker is no piece.
    pub fn board(&self, facing: Facing) -> Board {
        let mut board = Board::empty();
        for field in Field::all() {
            if let Code::Piece(piece) = self.code(field) {
                board.set_piece_at(facing.square(field), piece);
            }
        }
        board
    }

    /// Which way round the board lies, if this is `start`; `None` if it is not, either way.
    pub fn facing(&self, start: &Board) -> Option<Facing> {
        Facing::ALL.into_iter().find(|facing| self.board(*facing) == *start)
    }
}

impl Default for Dump {
    /// An empty board.
    fn default() -> Dump {
        Dump([Code::Empty; 64])
    }
}
