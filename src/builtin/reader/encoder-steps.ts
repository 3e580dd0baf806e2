const WIDTH = 384;
const HEADS = 12;
const HEAD = WIDTH / HEADS;

export interface Norm {
  weight: Float32Array;
  bias: Float32Array;
}

/** Layer normalisation of rows, in place. */
export function normalise(space: Float32Array, start: number, rows: number, { weight, bias }: Norm): void {
  for (let row = 0; row < rows; row++) {
    const from = start + row * WIDTH;
    let [sum, squares] = [0, 0];
    for (let at = 0; at < WIDTH; at++) sum += space[from + at] ?? 0;
    const mean = sum / WIDTH;
    for (let at = 0; at < WIDTH; at++) squares += ((space[from + at] ?? 0) - mean) ** 2;
    const scale = 1 / Math.sqrt(squares / WIDTH + 1e-12);
    for (let at = 0; at < WIDTH; at++) {
      space[from + at] = ((space[from + at] ?? 0) - mean) * scale * (weight[at] ?? 0) + (bias[at] ?? 0);
    }
  }
}

interface AttentionPlaces {
  q: number;
  k: number;
  v: number;
  out: number;
}

/** Attention of every head over one message without padding. */
export function attend(space: Float32Array, { q, k, v, out }: AttentionPlaces, length: number): void {
  const weights = new Float64Array(length);
  for (let shift = 0; shift < WIDTH; shift += HEAD) {
    for (let row = 0; row < length; row++) {
      const total = setWeights(weights, space, q + row * WIDTH + shift, k + shift);
      for (let at = 0; at < HEAD; at++) {
        let sum = 0;
        for (let other = 0; other < length; other++)
          sum += (weights[other] ?? 0) * (space[v + other * WIDTH + shift + at] ?? 0);
        space[out + row * WIDTH + shift + at] = sum / total;
      }
    }
  }
}

/** Sets the weights of one row before their division by the returned total. */
function setWeights(weights: Float64Array, space: Float32Array, query: number, keys: number): number {
  for (let other = 0; other < weights.length; other++) {
    let sum = 0;
    for (let at = 0; at < HEAD; at++) sum += (space[query + at] ?? 0) * (space[keys + other * WIDTH + at] ?? 0);
    weights[other] = sum / Math.sqrt(HEAD);
  }
  const top = Math.max(...weights);
  let total = 0;
  for (let other = 0; other < weights.length; other++) {
    const power = Math.exp((weights[other] ?? 0) - top);
    weights[other] = power;
    total += power;
  }
  return total;
}

/** Exact form of GELU; the error function by Abramowitz and Stegun 7.1.26, off by at most 1.5e-7. */
export function gelu(value: number): number {
  const size = Math.abs(value) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * size);
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = 1 - series * Math.exp(-size * size);
  return 0.5 * value * (1 + (value < 0 ? -erf : erf));
}

/** Scores of a head: one value for each of its rows. */
export function project({ weight, bias }: Norm, input: Float32Array): Float32Array {
  return bias.map((start, row) => {
    let sum = start;
    for (let at = 0; at < input.length; at++) sum += (weight[row * input.length + at] ?? 0) * (input[at] ?? 0);
    return sum;
  });
}
