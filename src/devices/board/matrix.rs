//! An 8 × 8 matrix on GPIO: one row is driven at a time, the columns are read.
//!
//! # Ghosting
//!
//! Without a diode at each reed three pegs on the corners of a rectangle close the fourth. The
//! drawings have the diodes.
//!
//! # Rows are not read at the same instant
//!
//! A reading takes eight settling times; a hand is slower by far.

use std::fmt::Debug;

use embedded_hal::{
    delay::DelayNs,
    digital::{InputPin, OutputPin},
};

use super::{
    BoardReader, ReadError,
    wiring::{Level, Levels, Wiring},
};

#[derive(Debug)]
pub struct Matrix<R, C, D> {
    rows: [R; 8],
    columns: [C; 8],
    delay: D,
    wiring: Wiring,
}

impl<R: OutputPin, C: InputPin, D: DelayNs> Matrix<R, C, D> {
    /// Rows with rank 1 first, columns with file a first.
    pub fn new(rows: [R; 8], columns: [C; 8], delay: D, wiring: Wiring) -> Matrix<R, C, D> {
        Matrix { rows, columns, delay, wiring }
    }

    fn drive(&mut self, row: usize, active: bool) -> Result<(), ReadError> {
        let low = active == (self.wiring.closed == Level::Low);
        let row = &mut self.rows[row];
        if low { row.set_low() } else { row.set_high() }.map_err(gpio)
    }

    /// The levels of the columns, file a in bit 0.
    fn columns(&mut self) -> Result<u8, ReadError> {
        let mut levels = 0;
        for (n, column) in self.columns.iter_mut().enumerate() {
            levels |= u8::from(column.is_high().map_err(gpio)?) << n;
        }
        Ok(levels)
    }
}

fn gpio(err: impl Debug) -> ReadError {
    ReadError::Bus { bus: "GPIO", reason: format!("{err:?}") }
}

impl<R, C, D> BoardReader for Matrix<R, C, D>
where
    R: OutputPin + Send,
    C: InputPin + Send,
    D: DelayNs + Send,
{
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        let mut levels = 0;
        for row in 0..8 {
            self.drive(row, false)?;
        }
        self.delay.delay_us(self.wiring.settle_us);
        let open = if self.wiring.closed == Level::Low { 0xFF } else { 0x00 };
        let shorted = self.columns()? ^ open;
        if let Some(column) = ('a'..='h').zip(0..).find(|(_, n)| shorted >> n & 1 == 1) {
            return Err(ReadError::Column { column: column.0 });
        }
        for row in 0..8 {
            self.drive(row, true)?;
            self.delay.delay_us(self.wiring.settle_us);
            let columns = self.columns();
            self.drive(row, false)?;
            levels |= Levels::from(columns?) << (row * 8);
        }
        Ok(levels)
    }
}
