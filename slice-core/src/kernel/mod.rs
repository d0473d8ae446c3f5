//! The loops that move elements, and the choice among them.
