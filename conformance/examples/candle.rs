//! candle: indices and ranges by `narrow`, new axes by `unsqueeze`.

use candle_core::{Device, Result, Tensor};
use slice_conformance::{Entry, Reply, System, entries, run};

struct Candle;

fn get(shape: &[usize], entries: &[Entry]) -> Result<Option<Tensor>> {
    let count = shape.iter().product::<usize>() as i64;
    let mut x = Tensor::from_vec((0..count).collect::<Vec<i64>>(), shape, &Device::Cpu)?;
    let mut axis = 0;
    for entry in entries {
        // Counting from the end and clamping are left to the caller.
        match *entry {
            Entry::Index(at @ 0..) => x = x.get_on_dim(axis, at as usize)?,
            Entry::Range(start, stop, 1) if start.unwrap_or(0) >= 0 && stop.unwrap_or(0) >= 0 => {
                let start = start.unwrap_or(0) as usize;
                let stop = stop.map_or(x.dim(axis)?, |stop| stop as usize);
                if stop < start {
                    return Ok(None);
                }
                x = x.narrow(axis, start, stop - start)?;
                axis += 1;
            }
            Entry::NewAxis => {
                x = x.unsqueeze(axis)?;
                axis += 1;
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(x))
}

impl System for Candle {
    fn name(&self) -> String {
        "candle 0.11".to_owned()
    }

    fn getitem(&self, shape: &[usize], text: &str) -> Reply {
        let Some(entries) = entries(text) else { return Reply::Unsupported };
        let values = |x: Tensor| -> Result<Reply> {
            Ok(Reply::Tensor(x.dims().to_vec(), x.flatten_all()?.to_vec1::<i64>()?))
        };
        match get(shape, &entries).and_then(|x| x.map(values).transpose()) {
            Ok(reply) => reply.unwrap_or(Reply::Unsupported),
            Err(error) => Reply::Refused(error.to_string()),
        }
    }
}

fn main() {
    print!("{}", run(&Candle));
}
