//! Slices of arrays in an object store: an S3 server on a loopback port.

mod cross;
mod faults;
mod reads;
mod slices;
mod writes;
