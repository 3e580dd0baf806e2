/** A vector of length 1 as bytes: its scale as a float of 4 bytes, then one byte for each number. */
export function toBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(SCALE_BYTES + vector.length);
  const scale = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127;
  new DataView(bytes.buffer).setFloat32(0, scale, true);
  const numbers = Int8Array.from(vector, (one) => Math.round(one / scale));
  bytes.set(numbers, SCALE_BYTES);
  return bytes;
}

/** Rows of equal length, next to each other in memory that threads share. */
export interface Rows {
  size: number;
  scales: Float32Array;
  numbers: Int8Array;
}

/** Rows of another length than the first are zeros: no question is near to them. */
export function toRows(vectors: readonly Uint8Array[]): Rows {
  const size = Math.max(0, (vectors[0]?.length ?? 0) - SCALE_BYTES);
  const scales = new Float32Array(new SharedArrayBuffer(vectors.length * SCALE_BYTES));
  const numbers = new Int8Array(new SharedArrayBuffer(vectors.length * size));
  for (const [row, bytes] of vectors.entries()) {
    if (bytes.length !== size + SCALE_BYTES) continue;
    scales[row] = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    numbers.set(bytes.subarray(SCALE_BYTES), row * size);
  }
  return { size, scales, numbers };
}

const SCALE_BYTES = 4;
