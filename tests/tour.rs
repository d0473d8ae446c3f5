//! The example `tour`, run as its `main` runs it; its pictures are compared with pixels decoded by
//! `image` and index arithmetic, its arrays with bytes put together by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "its main is not called here")]
#[path = "../examples/tour/main.rs"]
mod tour;

use image::{DynamicImage, ImageBuffer, Luma, LumaA, Rgb, Rgba};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

const PHOTOGRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assets/grace_hopper.jpg");

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tour-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs the example: what it prints, or what it complains about.
fn run<S: Into<OsString>>(args: impl IntoIterator<Item = S>) -> Result<String, String> {
    let name = OsString::from("tour");
    tour::run([name].into_iter().chain(args.into_iter().map(Into::into))).map_err(|e| e.to_string())
}

/// Cuts `input` with `slice` into `out`, which must work.
fn cut(input: &str, slice: &str, out: &Path) -> String {
    run([input, "--slice", slice, "-o", out.to_str().unwrap()]).expect(slice)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A tile as the sheet must show it: pixel for pixel, or every 2 by 2 pixels averaged.
fn tile(
    rows: usize,
    columns: usize,
    halve: bool,
    pixel: impl Fn(usize, usize, usize) -> u8,
) -> Vec<Vec<u8>> {
    let (rows, columns) = if halve { (rows / 2, columns / 2) } else { (rows, columns) };
    let level = |y: usize, x: usize, c: usize| {
        if !halve {
            return pixel(y, x, c);
        }
        let four = [(0, 0), (0, 1), (1, 0), (1, 1)]
            .map(|(i, j)| u32::from(pixel(2 * y + i, 2 * x + j, c)));
        ((four.iter().sum::<u32>() + 2) / 4) as u8
    };
    (0..rows)
        .map(|y| (0..columns).flat_map(|x| [0, 1, 2].map(|c| level(y, x, c))).collect())
        .collect()
}

#[test]
fn sheet_shows_every_slice_of_the_photograph() {
    let folder = folder("sheet");
    let out = folder.join("sheet.png");
    let printed = run(["-o", text(&out)]).unwrap();
    assert_eq!(names(&folder), ["sheet.png"]);

    let photograph = image::open(PHOTOGRAPH).unwrap().into_rgb8();
    assert_eq!(photograph.dimensions(), (512, 600));
    let p = |y: usize, x: usize, c: usize| photograph.get_pixel(x as u32, y as u32)[c];
    let half_back = |v: usize, n: usize| if v < n / 2 { 2 * v } else { n - 1 - 2 * (v - n / 2) };
    let expected = [
        tile(600, 512, true, p),
        tile(300, 256, false, |y, x, c| p(40 + y, 136 + x, c)),
        tile(600, 512, true, |y, x, c| p(y, 511 - x, c)),
        tile(600, 512, true, |y, x, c| p(599 - y, 511 - x, c)),
        tile(600, 512, true, |y, x, c| p(y / 8 * 8, x / 8 * 8, c)),
        tile(600, 512, true, |y, x, _| p(y, x, 0)),
        tile(600, 512, true, |y, x, c| p(y, x, 2 - c)),
        tile(600, 512, true, |y, x, c| p(half_back(y, 600), half_back(x, 512), c)),
    ];
    let sheet = image::open(&out).unwrap().into_rgb8();
    let (wide, rows) = (sheet.width() as usize * 3, sheet.height() as usize);
    let row = |y: usize| &sheet.as_raw()[y * wide..][..wide];
    let mut places = Vec::new();
    for (i, tile) in expected.iter().enumerate() {
        let found = (0..rows - tile.len()).find_map(|y| {
            let x = row(y).windows(tile[0].len()).position(|w| w == tile[0])?;
            tile.iter().zip(y..).all(|(line, y)| row(y)[x..].starts_with(line)).then_some((y, x))
        });
        places.push(found.unwrap_or_else(|| panic!("tile {} is not on the sheet", i + 1)));
    }
    // Two rows of four, from left to right.
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(places.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).collect::<Vec<_>>(), [4, 4]);

    // The page shows this sheet; JPEG keeps it nearly.
    let shown =
        image::open(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/img/tour.jpg")).unwrap().into_rgb8();
    assert_eq!(shown.dimensions(), sheet.dimensions(), "run docs/img/draw");
    let apart = shown.iter().zip(sheet.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
    assert!(apart < 4 * sheet.len() as u64, "run docs/img/draw");

    for line in [
        "2. crop\n    slice     s![40:-260, 136:-120]\n    begin     [40, 136]\n    end       \
         [-260, -120]\n    strides   [1, 1]\n",
        "    masks     begin 0, end 0, ellipsis 1, new_axis 0, shrink_axis 2\n    plan      shape \
         (600, 512), strides (1536, 3), offset 0\n",
        "    plan      shape (600, 512, 3), strides (-1536, -3, 1), offset 921597\n    time      \
         plan ",
        "    slice     s![::8, None, ::8, None]\n",
        "    repeated  to shape (75, 8, 64, 8, 3)\n",
        "    slice     s![::-2, ::2]\n",
        "    goes to   tile[300:, :256]\n",
    ] {
        assert!(printed.contains(line), "{line:?} is not in\n{printed}");
    }
}

/// A picture too small for a margin or for squares is its own crop and its own squares.
#[test]
fn every_picture_has_a_sheet() {
    let folder = folder("small");
    let (input, out) = (folder.join("in.png"), folder.join("out.png"));
    for (columns, rows, crop, repeated) in [
        (1, 1, "s![0:, 0:]", "(1, 2, 1, 2)"),
        (5, 3, "s![0:, 1:-1]", "(2, 2, 3, 2)"),
        (3, 300, "s![75:-75, 0:]", "(75, 4, 1, 4)"),
    ] {
        ImageBuffer::from_pixel(columns, rows, Luma([9u8])).save(&input).unwrap();
        let printed = run([text(&input), "-o", text(&out)]).unwrap();
        for words in [format!("    slice     {crop}\n"), format!("  to shape {repeated}\n")] {
            assert!(printed.contains(&words), "{words} is not in\n{printed}");
        }
    }
}

/// A camera stores what its sensor saw and notes which way up it is. `image` turns the picture by
/// code of its own.
#[test]
fn photographs_are_upright() {
    let folder = folder("exif");
    let (input, out) = (folder.join("in.jpg"), folder.join("out.png"));
    let colours = ImageBuffer::from_fn(40, 24, |x, y| Rgb([x as u8 * 6, y as u8 * 10, 128u8]));
    let grey = ImageBuffer::from_fn(40, 24, |x, y| Luma([(x * 5 + y) as u8]));
    for stored in [DynamicImage::ImageRgb8(colours), DynamicImage::ImageLuma8(grey)] {
        stored.save(&input).unwrap();
        let file = fs::read(&input).unwrap();
        let decoded = image::open(&input).unwrap();
        for noted in 0..=9_u8 {
            // A segment APP1 behind the start of the file: TIFF in little endian, whose only entry
            // is the orientation, a short.
            let tiff = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, noted, 0];
            let exif = [b"Exif\0\0", &tiff[..], &[0; 6]].concat();
            let segment = [&[0xff, 0xe1, 0, exif.len() as u8 + 2][..], &exif].concat();
            fs::write(&input, [&file[..2], &segment, &file[2..]].concat()).unwrap();
            cut(text(&input), "...", &out);
            let mut expected = decoded.clone();
            // 0 and 9 mean nothing.
            if let Some(orientation) = image::metadata::Orientation::from_exif(noted) {
                expected.apply_orientation(orientation);
            }
            assert_eq!(image::open(&out).unwrap(), expected, "orientation {noted}");
        }
    }
}

#[test]
fn every_cut_of_a_picture_is_the_pixels_it_names() {
    let folder = folder("cuts");
    // Seven rows of five, all 140 levels different.
    let picture =
        ImageBuffer::from_fn(5, 7, |x, y| Rgba([0, 1, 2, 3].map(|c| (y * 20 + x * 4 + c) as u8)));
    let input = folder.join("in.png");
    picture.save(&input).unwrap();
    let p = |y: i32, x: i32, c: usize| picture.get_pixel(x as u32, y as u32)[c];
    let out = folder.join("out.png");
    type Pick<'a> = &'a dyn Fn(i32, i32) -> Vec<u8>;
    let cases: [(&str, (u32, u32), Pick<'_>); 9] = [
        ("...", (7, 5), &|y, x| (0..4).map(|c| p(y, x, c)).collect()),
        ("1:-1, -2::-1", (5, 4), &|y, x| (0..4).map(|c| p(y + 1, 3 - x, c)).collect()),
        ("::-3, ::2, :3", (3, 3), &|y, x| (0..3).map(|c| p(6 - 3 * y, 2 * x, c)).collect()),
        ("..., -1", (7, 5), &|y, x| vec![p(y, x, 3)]),
        ("..., ::-1", (7, 5), &|y, x| (0..4).rev().map(|c| p(y, x, c)).collect()),
        ("2", (1, 5), &|_, x| (0..4).map(|c| p(2, x, c)).collect()),
        (":, 4", (7, 1), &|y, _| (0..4).map(|c| p(y, 4, c)).collect()),
        ("None, :2, ..., 1", (2, 5), &|y, x| vec![p(y, x, 1)]),
        // Two colours of four are shown as RGB without the third, not as grey and alpha.
        ("..., 2:0:-1", (7, 5), &|y, x| vec![p(y, x, 2), p(y, x, 1), 0]),
    ];
    for (slice, (rows, columns), pick) in cases {
        cut(text(&input), slice, &out);
        let got = image::open(&out).unwrap();
        assert_eq!((got.height(), got.width()), (rows, columns), "{slice}");
        let places = (0..rows as i32).flat_map(|y| (0..columns as i32).map(move |x| (y, x)));
        let expected: Vec<u8> = places.flat_map(|(y, x)| pick(y, x)).collect();
        assert_eq!(got.into_bytes(), expected, "{slice}");
    }
}

#[test]
fn two_channels_are_grey_and_alpha_only_where_they_were() {
    let folder = folder("two");
    let out = folder.join("out.png");
    let colours =
        ImageBuffer::from_fn(3, 2, |x, y| Rgb([0, 1, 2].map(|c| (y * 9 + x * 3 + c) as u8)));
    let input = folder.join("colours.png");
    colours.save(&input).unwrap();
    cut(text(&input), ":, :, ::2", &out);
    let DynamicImage::ImageRgb8(got) = image::open(&out).unwrap() else {
        panic!("not three colours")
    };
    assert!(got.pixels().zip(colours.pixels()).all(|(got, p)| got.0 == [p[0], p[2], 0]));

    let clear = ImageBuffer::from_fn(3, 2, |x, y| LumaA([x as u8, y as u8]));
    let input = folder.join("clear.png");
    clear.save(&input).unwrap();
    cut(text(&input), ":, ::-1", &out);
    let DynamicImage::ImageLumaA8(got) = image::open(&out).unwrap() else {
        panic!("not grey and alpha")
    };
    assert!(got.enumerate_pixels().all(|(x, y, p)| p.0 == [2 - x as u8, y as u8]));
}

#[test]
fn sixteen_bits_stay_sixteen_bits() {
    let folder = folder("deep");
    let picture = ImageBuffer::from_fn(6, 4, |x, y| Luma([(y * 6 + x) as u16 * 2711]));
    let (input, out) = (folder.join("in.png"), folder.join("out.png"));
    picture.save(&input).unwrap();
    cut(text(&input), "::-1, 1::2", &out);
    let DynamicImage::ImageLuma16(got) = image::open(&out).unwrap() else {
        panic!("not 16 bits of grey")
    };
    let expected: Vec<u16> =
        (0..4).rev().flat_map(|y| [1, 3, 5].map(|x| (y * 6 + x) * 2711)).collect();
    assert_eq!(got.into_raw(), expected);
}

/// A `.npy` file, put together by hand.
fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}}}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(data);
    file
}

/// Header and data of a `.npy` file; the header must end as the format says.
fn parts(file: &[u8]) -> (String, Vec<u8>) {
    assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
    let length = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    assert_eq!((length % 16, file[length - 1]), (0, b'\n'));
    let header = String::from_utf8(file[10..length].to_vec()).unwrap();
    (header.trim().to_string(), file[length..].to_vec())
}

#[test]
fn arrays_of_any_type_and_rank_are_cut() {
    let folder = folder("arrays");
    let (input, out) = (folder.join("in.npy"), folder.join("out.npy"));
    let floats: Vec<u8> = (0..24).flat_map(|v| (v as f32 / 2.0).to_le_bytes()).collect();
    let at = |indices: &[usize]| {
        indices.iter().flat_map(|&i| floats[4 * i..][..4].to_vec()).collect::<Vec<u8>>()
    };

    fs::write(&input, npy("'<f4'", false, "(2, 3, 4)", &floats)).unwrap();
    let printed = cut(text(&input), "1, ::-2, None, 1:3", &out);
    let (header, data) = parts(&fs::read(&out).unwrap());
    assert_eq!(header, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 2, ), }");
    assert_eq!(data, at(&[21, 22, 13, 14]));
    assert!(printed.contains("values    10.5, 11, 6.5, 7\n"), "{printed}");

    // The same elements in Fortran order: (i, j, k) lies at i + 2j + 6k.
    fs::write(&input, npy("'<f4'", true, "(2, 3, 4)", &floats)).unwrap();
    cut(text(&input), "1, ::-2, None, 1:3", &out);
    assert_eq!(parts(&fs::read(&out).unwrap()).1, at(&[1 + 4 + 6, 1 + 4 + 12, 1 + 6, 1 + 12]));

    // Records of 12 bytes, which no machine number has.
    let records = "[('a', '<i4'), ('b', '<f8')]";
    let bytes: Vec<u8> = (0..60).collect();
    fs::write(&input, npy(records, false, "(5,)", &bytes)).unwrap();
    cut(text(&input), "3::-2", &out);
    assert_eq!(parts(&fs::read(&out).unwrap()).1, [&bytes[36..48], &bytes[12..24]].concat());

    // No element at all, which a .npy file can say and a picture cannot.
    cut(text(&input), "4:4", &out);
    assert!(parts(&fs::read(&out).unwrap()).0.contains("'shape': (0, )"));

    // Rank 0 without a slice: described, and nothing written.
    fs::write(&input, npy("'>i2'", false, "()", &[0xff, 0x00])).unwrap();
    let printed = run([text(&input)]).unwrap();
    assert!(printed.contains("values    -256\n"), "{printed}");
    assert_eq!(names(&folder), ["in.npy", "out.npy"]);
}

#[test]
fn whatever_is_wrong_is_said_and_leaves_files_alone() {
    let folder = folder("wrong");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let photograph = fs::read(PHOTOGRAPH).unwrap();
    let clear = ImageBuffer::from_pixel(2, 2, Rgba([1u8, 2, 3, 4]));
    clear.save(folder.join("clear.png")).unwrap();
    let png = fs::read(folder.join("clear.png")).unwrap();
    for (name, bytes) in [
        ("short.jpg", &photograph[..photograph.len() / 2]),
        ("short.png", &png[..png.len() - 20]),
        ("empty.png", &[]),
        ("text.png", b"no picture"),
        ("zip.npz", b"PK\x03\x04more"),
        ("short.npy", &npy("'<f8'", false, "(3, 4)", &[0; 95])),
        ("huge.npy", &npy("'<f8'", false, "(1048576, 1048576, 1024)", &[0; 8])),
        ("objects.npy", &npy("'|O'", false, "(2,)", &[0; 16])),
        ("flat.npy", &npy("'|u1'", false, "(9,)", &[7; 9])),
        ("kept.png", b"as it was"),
        ("kept.jpg", b"as it was"),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("clear.png"), folder.join("link.png")).unwrap();
    #[cfg(not(unix))]
    fs::write(folder.join("link.png"), &png).unwrap();
    let before = names(&folder);
    let out = path("kept.png");
    for (args, words) in [
        (vec!["nowhere.png", "-o", &out], "cannot read nowhere.png"),
        (vec![&path("short.jpg"), "-o", &out], "short.jpg: it is cut short"),
        (vec![&path("short.png"), "-o", &out], "cannot read "),
        (vec![&path("empty.png"), "-o", &out], "format could not be determined"),
        (vec![&path("text.png"), "-o", &out], "format could not be determined"),
        (vec![&path("zip.npz"), "-o", &out], "format could not be determined"),
        (
            vec![&path("short.npy"), "-o", &out],
            "it is cut short: 95 bytes of data for shape (3, 4)",
        ),
        (vec![&path("huge.npy"), "-o", &out], "it is cut short: 8 bytes"),
        (vec![&path("objects.npy"), "-o", &out], "Python objects"),
        (vec![&path("flat.npy"), "-o", &out], "an array of shape (9,) has no contact sheet"),
        (vec![&path(""), "-o", &out], "cannot read "),
        (vec!["--slice", "0, 2..4", "-o", &out], "    0, 2..4\n       ^^^^\n"),
        (vec!["--slice", "::0", "-o", &out], "step is 0 on entry 0"),
        (vec!["--slice", "600", "-o", &out], "index 600 is outside axis 0 of length 600"),
        (vec!["--slice", "0, 0, 0, 0", "-o", &out], "the slice needs 4 axes"),
        (vec!["--slice", "5:5", "-o", &out], "the slice selects nothing (shape (0, 512, 3))"),
        (
            vec![&path("clear.png"), "--slice", ":", "-o", &path("kept.jpg")],
            "does not support the color type",
        ),
        (vec!["-o", &path("new.gif")], "use .png, .jpg or, with --slice, .npy"),
        (vec!["-o", &path("missing/new.png")], "cannot write "),
        (vec!["-o", &path("")], "use .png"),
        (vec!["-o", &path("new.npy")], "cannot write a picture"),
        (vec!["--slices", ":"], "unexpected argument '--slices'"),
        (vec!["--slice"], "a value is required for '--slice"),
        (vec!["a.png", "::2"], "unexpected argument '::2'"),
        (vec![&path("clear.png"), "-o", &path("clear.png")], "clear.png is the picture itself"),
        (
            vec![&path("clear.png"), "--slice", "::2", "-o", &path("link.png")],
            "link.png is the picture itself",
        ),
    ] {
        let complaint = run(args.iter().copied()).expect_err(words);
        assert!(complaint.contains(words), "{args:?}: {complaint}");
    }
    assert_eq!(names(&folder), before);
    assert_eq!(fs::read(&out).unwrap(), b"as it was");
    assert_eq!(fs::read(path("kept.jpg")).unwrap(), b"as it was");
    assert_eq!(fs::read(path("clear.png")).unwrap(), png);
}

#[test]
fn an_older_file_is_replaced() {
    let folder = folder("replace");
    let out = folder.join("out.PNG");
    fs::write(&out, vec![0; 1 << 16]).unwrap();
    let printed = cut(PHOTOGRAPH, "-1, -2:", &out);
    assert_eq!(image::load_from_memory(&fs::read(&out).unwrap()).unwrap().width(), 2);
    assert!(printed.ends_with(&format!(
        "wrote {}: 2 x 1 pixels, {} bytes\n",
        text(&out),
        fs::metadata(&out).unwrap().len()
    )));
    assert_eq!(names(&folder), ["out.PNG"]);
}

#[test]
fn help_says_what_can_be_given() {
    let printed = run(["--help"]).unwrap_err();
    for word in ["PICTURE", "--slice <TEXT>", "-o, --out <OUT>", ".npy"] {
        assert!(printed.contains(word), "{word}");
    }
}
