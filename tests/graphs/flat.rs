//! FlatBuffers: tables whose fields are found through their vtable.

/// A table in a buffer.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    buffer: &'a [u8],
    at: usize,
}

impl<'a> Table<'a> {
    pub(crate) fn root(buffer: &'a [u8]) -> Table<'a> {
        Table { buffer, at: read(buffer, 0) as usize }
    }

    /// Where field `number` lies, unless it has its default.
    fn field(&self, number: usize) -> Option<usize> {
        let vtable = (self.at as i64 - i64::from(read(self.buffer, self.at) as i32)) as usize;
        let short =
            |at: usize| usize::from(u16::from_le_bytes([self.buffer[at], self.buffer[at + 1]]));
        let entry = 4 + 2 * number;
        let offset = if entry < short(vtable) { short(vtable + entry) } else { 0 };
        (offset != 0).then_some(self.at + offset)
    }

    pub(crate) fn u32(&self, number: usize) -> u32 {
        self.field(number).map_or(0, |at| read(self.buffer, at))
    }

    pub(crate) fn i32(&self, number: usize) -> i32 {
        self.u32(number) as i32
    }

    pub(crate) fn i8(&self, number: usize) -> i8 {
        self.field(number).map_or(0, |at| self.buffer[at] as i8)
    }

    pub(crate) fn table(&self, number: usize) -> Option<Table<'a>> {
        self.field(number).map(|at| self.follow(at))
    }

    fn follow(&self, at: usize) -> Table<'a> {
        Table { buffer: self.buffer, at: at + read(self.buffer, at) as usize }
    }

    /// Where a vector's elements begin, and how many there are.
    fn vector(&self, number: usize) -> (usize, usize) {
        let Some(at) = self.field(number) else { return (0, 0) };
        let at = self.follow(at).at;
        (at + 4, read(self.buffer, at) as usize)
    }

    pub(crate) fn tables(&self, number: usize) -> Vec<Table<'a>> {
        let (at, count) = self.vector(number);
        (0..count).map(|i| self.follow(at + 4 * i)).collect()
    }

    pub(crate) fn i32s(&self, number: usize) -> Vec<i32> {
        let (at, count) = self.vector(number);
        (0..count).map(|i| read(self.buffer, at + 4 * i) as i32).collect()
    }

    pub(crate) fn bytes(&self, number: usize) -> &'a [u8] {
        let (at, count) = self.vector(number);
        &self.buffer[at..at + count]
    }
}

fn read(buffer: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(buffer[at..at + 4].try_into().expect("4 bytes"))
}
