//! Protocol buffers on the wire, and the messages of TensorFlow and ONNX that a slice needs.

use std::collections::BTreeMap;

/// A field: its number, and its number or bytes.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (&first, rest) = bytes.split_first().expect("a whole number");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first < 0x80 {
            return value;
        }
    }
    unreachable!("the loop has no end")
}

fn fields(mut bytes: &[u8]) -> impl Iterator<Item = (u64, Field<'_>)> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let key = varint(&mut bytes);
        let len = match key & 7 {
            0 => return Some((key >> 3, Field::Number(varint(&mut bytes)))),
            1 => 8,
            2 => varint(&mut bytes) as usize,
            5 => 4,
            kind => panic!("wire type {kind}"),
        };
        let (field, rest) = bytes.split_at(len);
        bytes = rest;
        Some((key >> 3, Field::Bytes(field)))
    })
}

/// The bytes of each field with this number.
pub(crate) fn messages(bytes: &[u8], wanted: u64) -> impl Iterator<Item = &[u8]> {
    fields(bytes).filter_map(move |(number, field)| match field {
        Field::Bytes(bytes) if number == wanted => Some(bytes),
        _ => None,
    })
}

fn numbers(bytes: &[u8], wanted: u64) -> Vec<i64> {
    fields(bytes)
        .filter(|(number, _)| *number == wanted)
        .flat_map(|(_, field)| match field {
            Field::Number(n) => vec![n as i64],
            Field::Bytes(mut packed) => {
                let next = || (!packed.is_empty()).then(|| varint(&mut packed) as i64);
                std::iter::from_fn(next).collect()
            }
        })
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("a name")
}

/// A node of a graph.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) op: String,
    pub(crate) inputs: Vec<String>,
    /// Attributes that are whole numbers.
    pub(crate) numbers: BTreeMap<String, i64>,
    /// The value of a constant.
    pub(crate) tensor: Option<Vec<i64>>,
}

impl Node {
    /// TensorFlow's `NodeDef`.
    pub(crate) fn tensorflow(bytes: &[u8]) -> Node {
        let one = |field| messages(bytes, field).next().map(text).unwrap_or_default();
        let mut node = Node {
            name: one(1),
            op: one(2),
            inputs: messages(bytes, 3).map(text).collect(),
            ..Node::default()
        };
        for attribute in messages(bytes, 5) {
            let name = messages(attribute, 1).next().map(text).expect("a name");
            let value = messages(attribute, 2).next().expect("a value");
            if let Some(&number) = numbers(value, 3).first() {
                node.numbers.insert(name, number);
            } else if let Some(tensor) = messages(value, 8).next() {
                node.tensor = Some(tensorflow_tensor(tensor));
            }
        }
        node
    }

    /// ONNX's `NodeProto`.
    pub(crate) fn onnx(bytes: &[u8]) -> Node {
        let op = messages(bytes, 4).next().map(text).expect("an operator");
        Node { op, inputs: messages(bytes, 1).map(text).collect(), ..Node::default() }
    }
}

/// TensorFlow's `TensorProto`, of integers.
fn tensorflow_tensor(bytes: &[u8]) -> Vec<i64> {
    let size = |dim: &[u8]| numbers(dim, 1).first().copied().unwrap_or(0);
    let count: i64 = messages(bytes, 2).flat_map(|shape| messages(shape, 2)).map(size).product();
    let wide = numbers(bytes, 1) == [9];
    let mut values = match messages(bytes, 4).next() {
        Some(content) => raw(content, if wide { 8 } else { 4 }),
        // Packed numbers, of which the last stands for the rest.
        None => numbers(bytes, if wide { 10 } else { 7 })
            .into_iter()
            .map(|v| if wide { v } else { i64::from(v as i32) })
            .collect(),
    };
    let last = values.last().copied().unwrap_or(0);
    values.resize(count as usize, last);
    values
}

fn raw(content: &[u8], size: usize) -> Vec<i64> {
    let one = |bytes: &[u8]| match bytes.try_into() {
        Ok(wide) => i64::from_le_bytes(wide),
        Err(_) => i64::from(i32::from_le_bytes(bytes.try_into().expect("4 or 8 bytes"))),
    };
    content.chunks_exact(size).map(one).collect()
}

/// ONNX's `TensorProto`: its name and its values.
pub(crate) fn onnx_tensor(bytes: &[u8]) -> (String, Vec<i64>) {
    let name = messages(bytes, 8).next().map(text).expect("a name");
    let values =
        messages(bytes, 9).next().map_or_else(|| numbers(bytes, 7), |content| raw(content, 8));
    (name, values)
}
