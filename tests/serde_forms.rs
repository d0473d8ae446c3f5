//! slice-core writes serde's impls by hand, because the derive takes longer to build than all of
//! the rest. They write and take exactly what the derive does: each type has a copy here that
//! derives its impls.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::{AxesForm, Chunk, Entry, Masks, Plan, SpecBuf, StepRange, s};
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error as PlainError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Debug;

/// The same fields and variants under the same names, with the derive.
mod mirror {
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, Debug)]
    pub(super) struct Masks {
        pub(super) begin: u32,
        pub(super) end: u32,
        pub(super) ellipsis: u32,
        pub(super) new_axis: u32,
        pub(super) shrink_axis: u32,
    }

    #[derive(Serialize, Deserialize, Debug)]
    pub(super) struct StepRange {
        start: i64,
        end: Option<i64>,
        step: i64,
    }

    #[derive(Serialize, Deserialize, Debug)]
    pub(super) struct AxesForm {
        axes: Vec<i64>,
        starts: Vec<i64>,
        ends: Vec<i64>,
        strides: Vec<i64>,
        drop: Vec<usize>,
        add: Vec<usize>,
    }

    #[derive(Serialize, Deserialize, Debug)]
    pub(super) enum Entry {
        Index(i64),
        Range { start: Option<i64>, stop: Option<i64>, step: i64 },
        NewAxis,
        Ellipsis,
    }

    /// The masks form of a slice.
    #[derive(Serialize, Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Spec {
        begin: Vec<i64>,
        end: Vec<i64>,
        strides: Vec<i64>,
        masks: Masks,
        #[serde(default)]
        strict: bool,
    }

    #[derive(Serialize, Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Plan {
        input_shape: Vec<u64>,
        input_len: Option<u64>,
        offset: u64,
        axes: Vec<(u64, i64, Option<u8>)>,
    }

    #[derive(Serialize, Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Chunk {
        coords: Vec<u64>,
        origin: Vec<u64>,
        extent: Vec<u64>,
        plan: Plan,
        target: Plan,
    }
}

/// A text that both take must be written the same by both, in a human-readable format and in a
/// binary one. A text that one refuses is refused by the other.
fn alike<Ours, Mirror>(texts: &[String])
where
    Ours: Serialize + DeserializeOwned + Debug,
    Mirror: Serialize + DeserializeOwned + Debug,
{
    let mut taken = 0;
    for text in texts {
        let (ours, mirror) =
            (serde_json::from_str::<Ours>(text), serde_json::from_str::<Mirror>(text));
        match (&ours, &mirror) {
            (Ok(ours), Ok(mirror)) => {
                taken += 1;
                assert_eq!(json!(ours), json!(mirror), "{text}");
                same_bytes::<Ours, Mirror>(ours, mirror);
            }
            (Err(ours), Err(mirror)) => assert_eq!(kind(ours), kind(mirror), "{text}"),
            _ => panic!("{text}: {ours:?}, but the derive says {mirror:?}"),
        }
    }
    assert!(taken > 0 && taken < texts.len(), "{taken} of {}", texts.len());
}

/// [`alike`], but for texts that only our form refuses: they are not the plan or chunk of a slice.
fn alike_if_sound<Ours, Mirror>(texts: impl Iterator<Item = String>)
where
    Ours: Serialize + DeserializeOwned + Debug,
    Mirror: Serialize + DeserializeOwned + Debug,
{
    let sound = |text: &String| {
        serde_json::from_str::<Mirror>(text).is_err() || serde_json::from_str::<Ours>(text).is_ok()
    };
    alike::<Ours, Mirror>(&texts.filter(sound).collect::<Vec<_>>());
}

fn same_bytes<Ours, Mirror>(ours: &Ours, mirror: &Mirror)
where
    Ours: Serialize + DeserializeOwned + Debug,
    Mirror: Serialize + DeserializeOwned + Debug,
{
    let bytes = postcard::to_allocvec(ours).unwrap();
    assert_eq!(bytes, postcard::to_allocvec(mirror).unwrap(), "{ours:?}");
    let again: Ours = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(postcard::to_allocvec(&again).unwrap(), bytes, "{ours:?}");
    for short in 0..bytes.len() {
        let (ours, mirror) = (
            postcard::from_bytes::<Ours>(&bytes[..short]),
            postcard::from_bytes::<Mirror>(&bytes[..short]),
        );
        assert_eq!(ours.is_ok(), mirror.is_ok(), "{:?}", &bytes[..short]);
    }
}

/// What an error is about: its first two words, as in "missing field", and the name after them.
fn kind(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(',').next().unwrap().split(" at line").next().unwrap().to_owned()
}

/// An object as people may write it: as it is, in another order, without each of its fields, with
/// one twice, with one more, with a field of another kind, and as a list of any length.
fn spoilt(object: Value) -> Vec<String> {
    let fields: Vec<(String, String)> =
        object.as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
    let write = |fields: &[(String, String)]| {
        let parts: Vec<String> = fields.iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
        format!("{{{}}}", parts.join(", "))
    };
    let mut texts = vec![write(&fields), "7".into(), "null".into(), "\"other\"".into()];
    texts.push(write(&fields.iter().rev().cloned().collect::<Vec<_>>()));
    for at in 0..fields.len() {
        let mut without = fields.clone();
        without.remove(at);
        texts.push(write(&without));
        let mut twice = fields.clone();
        twice.push(fields[at].clone());
        texts.push(write(&twice));
        for value in ["null", "-1", "\"a\"", "[]", "[-1]", "18446744073709551615", "0.5"] {
            let mut other = fields.clone();
            other[at].1 = value.into();
            texts.push(write(&other));
        }
    }
    let mut more = fields.clone();
    more.insert(0, ("other".into(), "[{\"deep\": 1}]".into()));
    texts.push(write(&more));
    texts
}

/// The same values without names, one more and one fewer too; `order` as the type declares them.
fn listed(object: &Value, order: &[&str]) -> Vec<String> {
    let values: Vec<Value> = order.iter().map(|&name| object[name].clone()).collect();
    (0..=values.len())
        .map(|n| json!(values[..n]).to_string())
        .chain([json!([values.clone(), vec![json!(1)]].concat()).to_string()])
        .collect()
}

#[test]
fn structs_are_what_the_derive_makes_of_them() {
    let masks = json!({ "begin": 48, "end": 32, "ellipsis": 8, "new_axis": 4, "shrink_axis": 1 });
    let mut texts = spoilt(masks.clone());
    texts.extend(listed(&masks, &["begin", "end", "ellipsis", "new_axis", "shrink_axis"]));
    alike::<Masks, mirror::Masks>(&texts);

    let range = json!({ "start": 1, "end": 4, "step": -2 });
    let mut texts = spoilt(range.clone());
    texts.extend(listed(&range, &["start", "end", "step"]));
    alike::<StepRange, mirror::StepRange>(&texts);

    let axes = json!({
        "axes": [0, 2], "starts": [1, 7], "ends": [2, -9], "strides": [1, -1],
        "drop": [0], "add": [],
    });
    let mut texts = spoilt(axes.clone());
    texts.extend(listed(&axes, &["axes", "starts", "ends", "strides", "drop", "add"]));
    alike::<AxesForm, mirror::AxesForm>(&texts);
}

#[test]
fn enums_are_what_the_derive_makes_of_them() {
    let mut texts: Vec<String> = [
        "\"NewAxis\"",
        "\"Ellipsis\"",
        "\"Index\"",
        "\"Range\"",
        "\"Other\"",
        "{\"Index\": -3}",
        "{\"Index\": null}",
        "{\"Ellipsis\": null}",
        "{\"Ellipsis\": 0}",
        "{}",
        "3",
    ]
    .map(Into::into)
    .into();
    let range = json!({ "start": 1, "stop": null, "step": -1 });
    for content in
        spoilt(range.clone()).into_iter().chain(listed(&range, &["start", "stop", "step"]))
    {
        texts.push(format!("{{\"Range\": {content}}}"));
    }
    alike::<Entry, mirror::Entry>(&texts);
}

#[test]
fn slices_and_plans_have_the_derive_s_forms() {
    for spec in [
        s![1, 2:4, None, ..., :-3:-1, :].to_buf(),
        s![].to_buf(),
        s![-1, ::(i64::MIN)].strict().to_buf(),
    ] {
        let bytes = postcard::to_allocvec(&spec).unwrap();
        same_bytes::<SpecBuf, mirror::Spec>(&spec, &postcard::from_bytes(&bytes).unwrap());
    }
    for plan in [
        s![1, ..., ::2].plan(&[4, 6, 8]).unwrap(),
        s![None, ::-1].plan_strided(&[4, 6], &[1, -4]).unwrap(),
    ] {
        let bytes = postcard::to_allocvec(&plan).unwrap();
        same_bytes::<Plan, mirror::Plan>(&plan, &postcard::from_bytes(&bytes).unwrap());
        let texts = spoilt(json!(plan));
        let in_order = listed(&json!(plan), &["input_shape", "input_len", "offset", "axes"]);
        alike_if_sound::<Plan, mirror::Plan>(texts.into_iter().chain(in_order));
        if let Ok(chunks) = plan.chunks(&[3, 2, 5]) {
            let (chunk, fields) =
                (json!(chunks.last()), ["coords", "origin", "extent", "plan", "target"]);
            let texts = spoilt(chunk.clone()).into_iter().chain(listed(&chunk, &fields));
            alike_if_sound::<Chunk, mirror::Chunk>(texts);
        }
    }
    let masks = json!({
        "begin": [1, 0], "end": [2, 0], "strides": [1, 1],
        "masks": { "begin": 0, "end": 0, "ellipsis": 2, "new_axis": 0, "shrink_axis": 1 },
    });
    for text in spoilt(masks) {
        let (ours, mirror) =
            (serde_json::from_str::<SpecBuf>(&text), serde_json::from_str::<mirror::Spec>(&text));
        assert!(
            ours.is_err() || mirror.is_ok(),
            "{text}: {ours:?}, but the derive says {mirror:?}"
        );
    }
}

/// Formats that write a field's or a variant's number instead of its name.
#[test]
fn numbers_stand_for_names() {
    for number in 0..6_u64 {
        let fields: Vec<(u64, u32)> = (0..number).map(|n| (n, n as u32 + 1)).collect();
        let map =
            || serde::de::value::MapDeserializer::<_, PlainError>::new(fields.clone().into_iter());
        let (ours, mirror) = (Masks::deserialize(map()), mirror::Masks::deserialize(map()));
        assert_eq!(ours.is_ok(), mirror.is_ok(), "{number}");
        if let (Ok(ours), Ok(mirror)) = (ours, mirror) {
            assert_eq!(json!(ours), json!(mirror));
        }
        let entry = |n: u64| {
            let variant: serde::de::value::U64Deserializer<PlainError> = n.into_deserializer();
            (Entry::deserialize(Tagged(variant)), mirror::Entry::deserialize(Tagged(variant)))
        };
        match entry(number) {
            (Ok(ours), Ok(mirror)) => assert_eq!(json!(ours), json!(mirror)),
            (ours, mirror) => assert_eq!(ours.is_ok(), mirror.is_ok(), "{number}"),
        }
    }
}

/// Passes on an enum's variant by its number.
struct Tagged(serde::de::value::U64Deserializer<PlainError>);

impl<'de> serde::Deserializer<'de> for Tagged {
    type Error = PlainError;

    fn deserialize_any<V: serde::de::Visitor<'de>>(
        self,
        visitor: V,
    ) -> Result<V::Value, PlainError> {
        struct Unit(serde::de::value::U64Deserializer<PlainError>);
        impl<'de> serde::de::EnumAccess<'de> for Unit {
            type Error = PlainError;
            type Variant = Nothing;
            fn variant_seed<T: serde::de::DeserializeSeed<'de>>(
                self,
                seed: T,
            ) -> Result<(T::Value, Nothing), PlainError> {
                Ok((seed.deserialize(self.0)?, Nothing))
            }
        }
        visitor.visit_enum(Unit(self.0))
    }
    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// What a variant without content holds.
struct Nothing;

impl<'de> serde::de::VariantAccess<'de> for Nothing {
    type Error = PlainError;
    fn unit_variant(self) -> Result<(), PlainError> {
        Ok(())
    }
    fn newtype_variant_seed<T>(self, _: T) -> Result<T::Value, PlainError>
    where
        T: serde::de::DeserializeSeed<'de>,
    {
        Err(serde::de::Error::custom("no content"))
    }
    fn tuple_variant<V>(self, _: usize, _: V) -> Result<V::Value, PlainError>
    where
        V: serde::de::Visitor<'de>,
    {
        Err(serde::de::Error::custom("no content"))
    }
    fn struct_variant<V>(self, _: &'static [&'static str], _: V) -> Result<V::Value, PlainError>
    where
        V: serde::de::Visitor<'de>,
    {
        Err(serde::de::Error::custom("no content"))
    }
}
