/** Where each table stands in the file, as the training program wrote it. */
export interface TableIndex {
  layers: number;
  tables: Readonly<Record<string, { shape: readonly number[]; offset: number }>>;
}

export interface EncoderTables {
  layers: number;
  rowsOf(name: string): number;
  sizeOf(name: string): number;
  /** Writes a matrix or vector as floats; int8 rows are multiplied by their scales. */
  write(name: string, target: Float32Array, at: number): void;
  /** The same as an array of its own. */
  floats(name: string): Float32Array;
  /** Adds a row of a matrix to a target: piece vectors stay int8 in memory. */
  addRow(name: string, row: number, target: Float32Array, at: number): void;
}

export function readTables(bytes: Uint8Array, { layers, tables }: TableIndex): EncoderTables {
  const find = (name: string) => {
    const entry = tables[name];
    if (!entry) throw new Error(`the encoder has no table ${name}`);
    const [rows = 0, width = 0] = entry.shape;
    const start = bytes.byteOffset + entry.offset;
    const scales = new Float32Array(bytes.buffer, start, rows);
    return { rows, width, scales, values: new Int8Array(bytes.buffer, start + rows * 4, rows * width) };
  };
  return {
    layers,
    rowsOf: (name) => find(name).rows,
    sizeOf(name) {
      const { rows, width } = find(name);
      return rows * Math.max(1, width);
    },
    write(name, target, at) {
      const { rows, width, scales, values } = find(name);
      if (width === 0) target.set(scales.subarray(0, rows), at);
      // A plain loop: nine million values through a callback took more than a second.
      for (let row = 0; row < rows; row++) {
        const scale = scales[row] ?? 0;
        for (let k = row * width; k < (row + 1) * width; k++) target[at + k] = (values[k] ?? 0) * scale;
      }
    },
    floats(name) {
      const floats = new Float32Array(this.sizeOf(name));
      this.write(name, floats, 0);
      return floats;
    },
    addRow(name, row, target, at) {
      const { width, scales, values } = find(name);
      const scale = scales[row] ?? 0;
      for (let k = 0; k < width; k++) target[at + k] = (target[at + k] ?? 0) + (values[row * width + k] ?? 0) * scale;
    },
  };
}
