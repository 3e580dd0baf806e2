/** A linear model: one int8 row for each column, one scale for each class. */
export interface LinearTable {
  classes: number;
  scales: Float32Array;
  weights: Int8Array;
}

/** Reads a table from bytes: the scales as float32, then the weights. */
export function readTable(bytes: Uint8Array, classes: number): LinearTable {
  const scales = new Float32Array(bytes.slice(0, classes * 4).buffer);
  return {
    classes,
    scales,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset + classes * 4, bytes.length - classes * 4),
  };
}

/** Sums the rows of the columns, one value for each class. */
export function scoreColumns({ classes, scales, weights }: LinearTable, columns: readonly number[]): Float64Array {
  const sums = new Float64Array(classes);
  for (const column of columns) {
    const row = column * classes;
    for (let index = 0; index < classes; index++) sums[index] = (sums[index] ?? 0) + (weights[row + index] ?? 0);
  }
  return sums.map((sum, index) => sum * (scales[index] ?? 0));
}

export function softmax(sums: Float64Array): Float64Array {
  const top = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - top));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}
