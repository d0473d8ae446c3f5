//! The proc macros behind pyslice's `s!`, `py!` and `plan!`.
