/** Where each table stands in the file, as the training program wrote it. */
export interface TableIndex {
  layers: number;
  tables: Readonly<Record<string, { shape: readonly number[]; offset: number }>>;
}

export interface EncoderTables {
  layers: number;
  rowsOf(name: string): number;
  /** A matrix or vector as floats; int8 rows are multiplied by their scales. */
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
    floats(name) {
      const { rows, width, scales, values } = find(name);
      if (width === 0) return scales.slice(0, rows);
      return Float32Array.from(values, (value, at) => value * (scales[Math.floor(at / width)] ?? 0));
    },
    addRow(name, row, target, at) {
      const { width, scales, values } = find(name);
      const scale = scales[row] ?? 0;
      for (let k = 0; k < width; k++) target[at + k] = (target[at + k] ?? 0) + (values[row * width + k] ?? 0) * scale;
    },
  };
}
