/** Parts of WebAssembly that are used here; the compiler's libraries for Node do not declare its values. */
interface WebAssemblyApi {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: { multiply: Multiply } };
}

type Multiply = (
  from: number,
  weight: number,
  bias: number,
  to: number,
  rows: number,
  inputs: number,
  outputs: number,
) => void;

/** Places of a matrix and its bias in the memory of the kernel, counted in floats. */
export interface Matrix {
  weight: number;
  bias: number;
  inputs: number;
  outputs: number;
}

/** Memory that the kernel shares with the code around it. */
export interface Workspace {
  space: Float32Array;
  reserve(size: number): number;
  /** Reserves a place and fills it. */
  place(size: number, fill: (space: Float32Array, at: number) => void): number;
  /** Multiplies rows at `from` by a matrix and writes the result to `to`. Rows are filled up to a multiple of four. */
  multiply(from: number, matrix: Matrix, to: number, rows: number): void;
}

const PAGE = 65_536;

export function createWorkspace(kernel: Uint8Array, floats: number): Workspace {
  // Every Node of the supported versions has WebAssembly.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const memory = new WebAssembly.Memory({ initial: Math.ceil((floats * 4) / PAGE) + 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernel), { env: { memory } });
  const space = new Float32Array(memory.buffer);
  let used = 0;
  const reserve = (size: number) => {
    const at = used;
    used += Math.ceil(size / 4) * 4;
    if (used > space.length) throw new Error('the encoder needs more memory than was reserved');
    return at;
  };
  return {
    space,
    reserve,
    place(size, fill) {
      const at = reserve(size);
      fill(space, at);
      return at;
    },
    multiply(from, { weight, bias, inputs, outputs }, to, rows) {
      exports.multiply(from * 4, weight * 4, bias * 4, to * 4, Math.ceil(rows / 4) * 4, inputs, outputs);
    },
  };
}
