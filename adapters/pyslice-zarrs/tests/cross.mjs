// Compares the arrays of a folder that were made with NumPy's, through zarrita, which has to be
// installed beside this file: `node cross.mjs FOLDER`. zarrita has no complex numbers, float16 only
// where JavaScript has it; it takes the index of each shard to be at its end, and the axes of
// shards to be stored in the array's order.
import { FileSystemStore } from "@zarrita/storage";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as zarr from "zarrita";

const dir = process.argv[2];
let count = 0;
for (const { path, dtype } of JSON.parse(readFileSync(join(dir, "writes.json"), "utf8"))) {
    if (dtype.startsWith("complex") || (dtype === "float16" && !globalThis.Float16Array)) continue;
    if (path === "ours-shards-start" || path.endsWith("transposed")) continue;
    const array = await zarr.open(new FileSystemStore(join(dir, path)), { kind: "array" });
    const { data } = await zarr.get(array);
    const found = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    // A file of NumPy ends with the elements.
    const file = readFileSync(join(dir, `${path}.npy`));
    if (!found.equals(file.subarray(file.length - found.length))) {
        console.error(`zarrita reads another array at ${path} than NumPy has`);
        process.exit(1);
    }
    count += 1;
}
if (count < 25) throw new Error(`only ${count} arrays`);
console.log(`${count} arrays are NumPy's in zarrita`);
