//! What serde's derive would write for our structs and enums, without its dependencies, which take
//! three times as long to build as everything else. The wire forms are those of the derive, name by
//! name; `tests/serde_forms.rs` compares both.

use crate::encoding::{Entry, Masks};
use crate::forms::{AxesForm, StepRange};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::ser::{Serialize, SerializeStructVariant, Serializer};

/// A struct that is read by the names of its fields, or by their order where a format has no names.
pub(super) trait Record<'de>: Sized {
    const NAME: &'static str;
    const FIELDS: &'static [&'static str];
    /// Whether a field that is not listed is an error. If not, it is skipped.
    const DENY_UNKNOWN: bool;

    fn from_seq<A: SeqAccess<'de>>(seq: A) -> Result<Self, A::Error>;
    fn from_map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

/// The visitor of a record.
pub(super) struct Fields<T>(PhantomData<T>);

impl<T> Fields<T> {
    pub(super) fn new() -> Self {
        Fields(PhantomData)
    }
}

impl<'de, T: Record<'de>> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", T::NAME)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        T::from_seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::from_map(map)
    }
}

/// Implements [`Record`], `Serialize` and `Deserialize` for a struct: its name on the wire, how it
/// takes fields that are not listed, and its fields in order.
macro_rules! record {
    ($type:ident as $name:literal, deny_unknown: $deny:literal, { $($field:ident),* $(,)? }) => {
        impl<'de> $crate::serialise::record::Record<'de> for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
            const DENY_UNKNOWN: bool = $deny;

            fn from_seq<A: serde::de::SeqAccess<'de>>(mut seq: A) -> Result<Self, A::Error> {
                let mut read = 0_usize;
                $(let $field = match seq.next_element()? {
                    Some(value) => {
                        read = read.saturating_add(1);
                        value
                    }
                    None => $crate::serialise::record::Maybe::left_out()
                        .ok_or_else(|| $crate::serialise::record::too_short::<Self, _>(read))?,
                };)*
                let _ = read;
                Ok($type { $($field),* })
            }

            fn from_map<A: serde::de::MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
                use $crate::serialise::record::{Maybe, Name};
                $(let mut $field = None;)*
                while let Some(name) = map.next_key_seed(Name::field::<Self>())? {
                    match name {
                        $(Some(stringify!($field)) if $field.is_some() => {
                            return Err(serde::de::Error::duplicate_field(stringify!($field)));
                        }
                        Some(stringify!($field)) => $field = Some(map.next_value()?),)*
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok($type { $($field: Maybe::found($field, stringify!($field))?),* })
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let fields = <Self as $crate::serialise::record::Record<'_>>::FIELDS.len();
                let mut out = serializer.serialize_struct($name, fields)?;
                $(out.serialize_field(stringify!($field), &self.$field)?;)*
                out.end()
            }
        }

        #[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use $crate::serialise::record::{Fields, Record};
                deserializer.deserialize_struct($name, Self::FIELDS, Fields::new())
            }
        }
    };
}
pub(super) use record;

#[cold]
pub(super) fn too_short<'de, T: Record<'de>, E: Error>(read: usize) -> E {
    E::invalid_length(read, &Fields::<T>::new())
}

/// A field's value, or the default for one that was left out.
pub(super) trait Maybe: Sized {
    fn left_out() -> Option<Self> {
        None
    }
    fn found<E: Error>(value: Option<Self>, field: &'static str) -> Result<Self, E> {
        value.or_else(Self::left_out).ok_or_else(|| E::missing_field(field))
    }
}
impl Maybe for bool {
    fn left_out() -> Option<bool> {
        Some(false)
    }
}
impl Maybe for u32 {}
impl Maybe for u64 {}
impl Maybe for i64 {}
impl Maybe for Masks {}
impl<T> Maybe for Vec<T> {}
impl<T> Maybe for Option<T> {
    fn left_out() -> Option<Self> {
        Some(None)
    }
}

/// Reads the name of a field or a variant, or its number in formats that write those, and returns
/// the name as it is listed; `None` for a field to skip.
pub(super) struct Name {
    names: &'static [&'static str],
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Field { deny_unknown: bool },
    Variant,
}

impl Name {
    pub(super) fn field<'de, T: Record<'de>>() -> Name {
        Name { names: T::FIELDS, what: What::Field { deny_unknown: T::DENY_UNKNOWN } }
    }
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.what == What::Variant { "variant" } else { "field" })?;
        write!(f, " identifier, or a number below {}", self.names.len())
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let name = usize::try_from(number).ok().and_then(|at| self.names.get(at)).copied();
        if name.is_none() && self.what != (What::Field { deny_unknown: false }) {
            return Err(E::invalid_value(Unexpected::Unsigned(number), &self));
        }
        Ok(name)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let name = self.names.iter().find(|&&name| name == text).copied();
        match self.what {
            What::Field { deny_unknown: true } if name.is_none() => {
                Err(E::unknown_field(text, self.names))
            }
            What::Variant if name.is_none() => Err(E::unknown_variant(text, self.names)),
            _ => Ok(name),
        }
    }
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        self.visit_str(&alloc::string::String::from_utf8_lossy(bytes))
    }
}

record!(Masks as "Masks", deny_unknown: false, { begin, end, ellipsis, new_axis, shrink_axis });
record!(StepRange as "StepRange", deny_unknown: false, { start, end, step });
record!(AxesForm as "AxesForm", deny_unknown: false, { axes, starts, ends, strides, drop, add });

/// What [`Entry::Range`] holds.
struct Range {
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
}
record!(Range as "Range", deny_unknown: false, { start, stop, step });

const ENTRIES: &[&str] = &["Index", "Range", "NewAxis", "Ellipsis"];

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Entry::Index(index) => serializer.serialize_newtype_variant("Entry", 0, "Index", index),
            Entry::Range { start, stop, step } => {
                let mut out = serializer.serialize_struct_variant("Entry", 1, "Range", 3)?;
                out.serialize_field("start", start)?;
                out.serialize_field("stop", stop)?;
                out.serialize_field("step", step)?;
                out.end()
            }
            Entry::NewAxis => serializer.serialize_unit_variant("Entry", 2, "NewAxis"),
            Entry::Ellipsis => serializer.serialize_unit_variant("Entry", 3, "Ellipsis"),
        }
    }
}

/// The visitor of an enum.
struct Variants<T>(&'static [&'static str], PhantomData<T>);

impl<'de, T> Variants<T>
where
    Variants<T>: Visitor<'de, Value = T>,
{
    fn read<D: Deserializer<'de>>(
        name: &'static str,
        names: &'static [&'static str],
        deserializer: D,
    ) -> Result<T, D::Error> {
        deserializer.deserialize_enum(name, names, Variants::<T>(names, PhantomData))
    }
    /// The variant's name, and the reader of its content.
    fn name<A: EnumAccess<'de>>(self, data: A) -> Result<(&'static str, A::Variant), A::Error> {
        let (name, content) = data.variant_seed(Name { names: self.0, what: What::Variant })?;
        Ok((name.unwrap_or_default(), content))
    }
}

impl<'de> Visitor<'de> for Variants<Entry> {
    type Value = Entry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("enum Entry")
    }
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Entry, A::Error> {
        let (name, content) = self.name(data)?;
        match name {
            "Index" => content.newtype_variant().map(Entry::Index),
            "Range" => {
                let Range { start, stop, step } =
                    content.struct_variant(Range::FIELDS, Fields::new())?;
                if step == 0 {
                    return Err(A::Error::custom("the step of a range is never 0"));
                }
                Ok(Entry::Range { start, stop, step })
            }
            "NewAxis" => content.unit_variant().map(|()| Entry::NewAxis),
            _ => content.unit_variant().map(|()| Entry::Ellipsis),
        }
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entry, D::Error> {
        Variants::read("Entry", ENTRIES, deserializer)
    }
}
