//! Memory between two pages that nobody may touch: a kernel that reads or writes one byte outside
//! crashes here, with every instruction set.

use super::gather::GAPPED;
use super::*;
use crate::kernel::gradient::{grad, write};
use crate::kernel::nest::Line;
use core::ffi::{c_int, c_void};

unsafe extern "C" {
    fn mmap(
        at: *mut c_void,
        len: usize,
        prot: c_int,
        flags: c_int,
        fd: c_int,
        offset: i64,
    ) -> *mut c_void;
    fn mprotect(at: *mut c_void, len: usize, prot: c_int) -> c_int;
}

const PAGE: usize = 64 << 10;

/// Readable pages, `bytes` long, with a forbidden one on either side; never given back.
fn pages(bytes: usize) -> *mut u8 {
    // SAFETY: a new private mapping; the part made readable and writable lies inside it.
    unsafe {
        let base = mmap(core::ptr::null_mut(), bytes + 2 * PAGE, 0, 0x22, -1, 0).cast::<u8>();
        assert!(!base.is_null() && base.addr() != usize::MAX, "no memory");
        assert_eq!(mprotect(base.add(PAGE).cast(), bytes, 3), 0);
        base.add(PAGE)
    }
}

/// Two buffers between forbidden pages, and how long each is.
struct Rooms {
    strided: *mut u8,
    dense: *mut u8,
    room: usize,
}

impl Rooms {
    fn new() -> Rooms {
        let room = 4 * PAGE;
        let rooms = Rooms { strided: pages(room), dense: pages(room), room };
        let fill = bytes(room);
        // SAFETY: `room` bytes were mapped at either place.
        unsafe {
            core::ptr::copy_nonoverlapping(fill.as_ptr(), rooms.strided, room);
            core::ptr::copy_nonoverlapping(fill.as_ptr(), rooms.dense, room);
        }
        rooms
    }

    /// Gathers and scatters the view in every way, all of it at the start or at the end of the
    /// buffers.
    fn check(&self, shape: &[usize], strides: &[isize], elem: usize) {
        if !left_out() {
            self.check_always(shape, strides, elem);
        }
    }

    fn check_always(&self, shape: &[usize], strides: &[isize], elem: usize) {
        let (offset, len) = placed(shape, strides);
        let count = shape.iter().product::<usize>();
        let (bytes, total) = (len * elem, count * elem);
        if bytes > self.room || total > self.room {
            return;
        }
        let view = View { shape, strides, offset };
        let positions = positions(view);
        for at_end in [false, true] {
            // SAFETY: both lie inside the mapped room.
            let (strided, dense) = unsafe {
                if at_end {
                    (self.strided.add(self.room - bytes), self.dense.add(self.room - total))
                } else {
                    (self.strided, self.dense)
                }
            };
            // SAFETY: mapped bytes, not written while the slices live.
            let (array, values) = unsafe {
                let array = core::slice::from_raw_parts(strided, bytes).to_vec();
                (array, core::slice::from_raw_parts(dense, total).to_vec())
            };
            let gathered: Vec<u8> =
                positions.iter().flat_map(|&at| &array[at * elem..][..elem]).copied().collect();
            let mut scattered = array.clone();
            for (&at, value) in positions.iter().zip(values.chunks(elem)) {
                scattered[at * elem..][..elem].copy_from_slice(value);
            }
            let reset = || {
                // SAFETY: as many bytes were mapped as the vectors have.
                unsafe {
                    core::ptr::copy_nonoverlapping(array.as_ptr(), strided, bytes);
                    core::ptr::copy_nonoverlapping(values.as_ptr(), dense, total);
                }
            };
            let gather = Transfer {
                shape,
                elem,
                src: Side::view(strided.cast_const(), len, &view),
                dst: Side::dense(dense, count),
            };
            let scatter = Transfer {
                shape,
                elem,
                src: Side::dense(dense.cast_const(), count),
                dst: Side::view(strided, len, &view),
            };
            for (job, place, want) in [(&gather, dense, &gathered), (&scatter, strided, &scattered)]
            {
                let run = |name: &str, call: &dyn Fn(*mut u8)| {
                    call(place);
                    // SAFETY: this many bytes were mapped.
                    let right = unsafe { core::slice::from_raw_parts(place, want.len()) } == *want;
                    assert!(right, "{name} at the end: {at_end}, {shape:?} {strides:?} of {elem}");
                    reset();
                };
                chosen_kernels(job, &run);
                every_kernel(job, &run);
            }
        }
    }
}

impl Rooms {
    /// Takes the gradient of the view, by the kernel that is chosen and by shuffles, with each of
    /// the buffers at the start of its room or at the end. `around`: background at either end.
    fn check_grad(&self, shape: &[usize], strides: &[isize], elem: usize, around: usize) {
        if left_out() {
            return;
        }
        let (offset, len) = placed(shape, strides);
        let (offset, len) = (offset + around, len + 2 * around);
        let (bytes, total) = (len * elem, shape.iter().product::<usize>() * elem);
        if bytes > self.room || total > self.room {
            return;
        }
        let view = View { shape, strides, offset };
        let (values, zero) = (super::bytes(total), vec![0; elem]);
        let mut want = vec![0; bytes];
        for (&at, value) in positions(view).iter().zip(values.chunks(elem)) {
            want[at * elem..][..elem].copy_from_slice(value);
        }
        for ends in 0..4 {
            let at = |room: *mut u8, bytes: usize, at_end: bool| {
                room.wrapping_add(if at_end { self.room - bytes } else { 0 })
            };
            let dx = at(self.strided, bytes, ends % 2 == 1);
            let dy = at(self.dense, total, ends / 2 == 1);
            let compare = |text: &str, call: &dyn Fn() -> bool| {
                // SAFETY: as many bytes were mapped in either room.
                unsafe {
                    core::ptr::copy_nonoverlapping(values.as_ptr(), dy, total);
                    dx.write_bytes(0xEE, bytes);
                    let right = !call() || core::slice::from_raw_parts(dx, bytes) == want;
                    assert!(right, "{text}, ends {ends}, {shape:?} {strides:?} of {elem}");
                }
            };
            for how in sets() {
                compare("chosen", &|| {
                    let src = Side::dense(dy.cast_const(), total / elem);
                    let job = Transfer { shape, elem, src, dst: Side::view(dx, len, &view) };
                    // SAFETY: the buffers are made for the view; the set is available.
                    unsafe { grad(&job, zero.as_ptr(), how) };
                    true
                });
                compare("shuffle", &|| {
                    let mut nest = Nest::new();
                    nest.merge(shape, None, Some(strides), elem);
                    let most = how.set.between.map_or(0, |it| it.bytes) / 2;
                    let fits = nest.sort()
                        && nest.run <= most
                        && nest.loops().first().is_some_and(|it| it.dst.unsigned_abs() <= most);
                    if !fits {
                        return false;
                    }
                    let piece = Piece {
                        readable: (dy.addr(), nest.total),
                        limit: dx.addr() + bytes,
                        start: dx,
                        dense: false,
                        ..Piece::new(&nest, (dy, dx.wrapping_add(offset * elem)), how.set)
                    };
                    // SAFETY: the buffers are made for the view; the set is available.
                    unsafe { write(&piece, Class::Shuffle { inner: 0 }, &Line::EMPTY) };
                    true
                });
            }
        }
    }
}

#[test]
fn gradients_touch_nothing_outside() {
    let rooms = Rooms::new();
    // The first row and the last one lie so on their lines that nothing else is loaded; the second
    // one does not.
    rooms.check_grad(&[5, 4], &[30, 2], 4, 16);
    for elem in [1, 2, 4, 8, 16] {
        for (n, stride) in [(1, 2isize), (2, 2), (3, 4), (7, 2), (7, -2), (60, 2), (63, 8), (90, 3)]
        {
            let row = n as isize * 2 * stride.abs() + 70;
            for (row, around) in [(row, 0), (row + 1, 67), (row * 4, 66), (-row * 4, 68)] {
                rooms.check_grad(&[n], &[stride], elem, around);
                rooms.check_grad(&[70, n], &[row, stride], elem, around);
                rooms.check_grad(&[2, 3, n], &[3 * row + 5, row, stride], elem, around);
                rooms.check_grad(&[5, n, 2], &[row * 2, 4 * stride, 1], elem, around);
            }
        }
    }
}

impl Rooms {
    /// Writes to the view by every entry point. The destination's last byte, `more` elements behind
    /// the last place, is the last one before the forbidden page; what lies before it and between
    /// the places stays as it was.
    fn check_end(&self, n: usize, stride: isize, elem: usize, more: usize) {
        let (shape, strides) = ([n], [stride]);
        let (offset, len) = placed(&shape, &strides);
        let (bytes, total) = ((len + more) * elem, n * elem);
        let view = View { shape: &shape, strides: &strides, offset };
        let from = View { shape: &shape, strides: &[-1], offset: n - 1 };
        let room = |at: *mut u8| {
            // SAFETY: the room is mapped, and nothing is written while the slice lives.
            unsafe { core::slice::from_raw_parts(at, self.room) }.to_vec()
        };
        let (before, values) = (room(self.strided), self.dense.wrapping_add(self.room - total));
        let (start, given) = (self.room - bytes, room(values.wrapping_sub(self.room - total)));
        let given = &given[self.room - total..];
        let dst = self.strided.wrapping_add(start);
        let after = |positions: &[usize], value: &dyn Fn(usize) -> usize, background| {
            let mut want = before.clone();
            if background {
                want[start..].fill(0);
            }
            for (i, at) in positions.iter().enumerate() {
                want[start + at * elem..][..elem]
                    .copy_from_slice(&given[value(i) * elem..][..elem]);
            }
            want
        };
        let places = positions(view);
        let check = |name: &str, want: &[u8], call: &dyn Fn()| {
            call();
            let right = room(self.strided) == want;
            assert!(right, "{name} of {n} elements of {elem}, step {stride}, {more} more");
            // SAFETY: as many bytes were mapped.
            unsafe { core::ptr::copy_nonoverlapping(before.as_ptr(), self.strided, self.room) };
        };
        let (in_order, one, back) = (
            after(&places, &|i| i, false),
            after(&places, &|_| 0, false),
            after(&places, &|i| n - 1 - i, false),
        );
        let (gradient, zero) = (after(&places, &|i| i, true), [0; 32]);
        let side = Side::view(dst, len + more, &view);
        let job = |src| Transfer { shape: &shape, elem, src, dst: side };
        let mut ways: Vec<How> = sets().collect();
        if cfg!(feature = "rayon") {
            let how = How::chosen();
            ways.extend([usize::MAX, 0].map(|streamed| How { streamed, parallel: 0, ..how }));
        }
        // SAFETY: the buffers are made for the view; the sets are available.
        unsafe {
            for how in ways {
                let large = |src| {
                    let (job, mut nest) = (job(src), Nest::new());
                    nest.merge(job.shape, job.src.strides, job.dst.strides, elem);
                    large(&job, &mut nest, how);
                };
                let source = Side::view(values.cast_const(), n, &from);
                let dense = Side::dense(values.cast_const(), n);
                let still = Side { strides: Some(&[]), ..Side::dense(values.cast_const(), 1) };
                check("scatter", &in_order, &|| transfer(&job(dense), how));
                check("large", &in_order, &|| large(dense));
                check("fill", &one, &|| transfer(&job(still), how));
                check("transfer", &back, &|| transfer(&job(source), how));
                check("large, reversed", &back, &|| large(source));
                check("grad", &gradient, &|| grad(&job(dense), zero.as_ptr(), how));
                // The other way round, the destination has no gaps.
                let reversed: Vec<u8> = given.chunks(elem).rev().flatten().copied().collect();
                let mut want = before.clone();
                want[self.room - total..].copy_from_slice(&reversed);
                let to = self.strided.wrapping_add(self.room - total);
                let dst = Side::dense(to, n);
                let gather = Transfer { shape: &shape, elem, src: source, dst };
                check("gather", &want, &|| transfer(&gather, how));
            }
        }
    }
}

/// With one length after the other, the destination begins at every place of a line, and the last
/// vector ends at each place around the destination's end.
#[test]
fn nothing_behind_a_destination_is_touched() {
    let rooms = Rooms::new();
    for elem in [1, 2, 4, 8, 16, 3, 12] {
        for stride in [2isize, 3, -2, 4, 1] {
            for n in 0..64 {
                let n = (if n % 2 == 0 { 528 } else { 1100 }) / elem.min(4) + n;
                for more in 0..stride.unsigned_abs().min(3) {
                    if !left_out() || (elem == 1 && stride == 2 && n % 16 == 0) {
                        rooms.check_end(n, stride, elem, more);
                    }
                }
            }
        }
    }
}

/// The gaps of a side that is not `whole` are not even read, although its buffer goes on: here, the
/// rest of it may not be touched.
#[test]
fn gaps_that_belong_to_others_are_not_touched() {
    let rooms = Rooms::new();
    for (elem, stride) in [(1, 2isize), (1, 3), (2, 2), (4, 2), (4, 3), (8, -2), (3, -4)] {
        let (shape, strides) = ([2100], [stride]);
        let (offset, len) = placed(&shape, &strides);
        let (view, more) = (View { shape: &shape, strides: &strides, offset }, len + 4096);
        // The last element of the view, or its gap, lies before the forbidden page.
        let strided = rooms.strided.wrapping_add(rooms.room - len * elem);
        let side = Side { whole: false, ..Side::view(strided.cast_const(), more, &view) };
        let gather =
            Transfer { shape: &shape, elem, src: side, dst: Side::dense(rooms.dense, 2100) };
        let scatter = Transfer {
            shape: &shape,
            elem,
            src: Side::dense(rooms.dense.cast_const(), 2100),
            dst: Side { whole: false, ..Side::view(strided, more, &view) },
        };
        for how in sets() {
            // SAFETY: all positions lie inside the mapped rooms; the set is available.
            unsafe {
                transfer(&gather, how);
                transfer(&scatter, how);
            }
        }
    }
}

#[test]
fn nothing_outside_is_touched() {
    let rooms = Rooms::new();
    // Units of three bytes, whose lines have three tables.
    for step in [3, -3, 4, -4, 5, -5] {
        for inner in [1, -1] {
            rooms.check_always(&[700, 3], &[step, inner], 1);
            rooms.check_always(&[701, 3], &[2 * step, inner], 1);
        }
    }
    // Pixels whose channels lie in planes: loads reach past the end of the last one.
    for elem in [1, 2] {
        for channels in [3, 5] {
            rooms.check_always(&[300, channels], &[1, 300], elem);
            rooms.check_always(&[301, channels], &[1, -301], elem);
        }
    }
    // Rows that repeat one of about the length of the longest pattern.
    for n in [2047, 2048, 2049, 2112] {
        rooms.check_always(&[5, n], &[0, 1], 1);
    }
    for elem in SIZES {
        for stride in [0isize, 1, -1, 2, -2, 3, -3, 4, 5, 9, 16] {
            for n in [3usize, 50, 129, 700, 2100] {
                for shape in [&[n][..], &[n / 3, 3], &[3, n / 3]] {
                    let inner = shape[shape.len() - 1] as isize;
                    for row in [inner * stride.abs(), -inner * stride.abs() - 1, inner + 7] {
                        let strides = if shape.len() == 1 { &[stride][..] } else { &[row, stride] };
                        rooms.check(shape, strides, elem);
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_outside_is_touched_between_rows() {
    let rooms = Rooms::new();
    for elem in [1, 2, 4, 8, 12, 16] {
        for (n, stride, row) in GAPPED {
            for shape in [&[7, n][..], &[2, 3, n]] {
                let strides = [-(3 * row) - 1, row, stride];
                rooms.check(shape, &strides[3 - shape.len()..], elem);
            }
        }
        // Rows of triples, reversed or not, and the same rows one element away: hardly anything of
        // the buffer lies behind the first place of the last triple, so a vector would leave it.
        for inner in [-1, -2] {
            for step in [8isize, -8] {
                let row = 400 * step.signum();
                rooms.check(&[2, 7, 32, 3], &[1, row, step, inner], elem);
                rooms.check(&[2, 7, 32, 3], &[-1, row, step, -inner], elem);
            }
        }
    }
}
