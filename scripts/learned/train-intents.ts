import { INTENT_BITS } from '../../src/builtin/learned/intent-features.ts';
import { LEARNED_INTENTS } from '../../src/builtin/learned/proposal.ts';
import { createRandom } from './random.ts';
import { shuffled } from './train-tagger.ts';

const CLASSES = LEARNED_INTENTS.length;

export interface IntentRow {
  columns: Int32Array;
  label: number;
  weight: number;
}

export interface TrainOptions {
  epochs: number;
  rate: number;
  decay: number;
  smoothing: number;
}

/** Sentences between two states that are averaged. */
const AVERAGE_EVERY = 5000;

/**
 * Multinomial logistic regression by AdaGrad, averaged over the second half of the training. The order is drawn from a
 * seed, so the result is always the same.
 */
export function trainIntents(
  rows: readonly IntentRow[],
  { epochs, rate, decay, smoothing }: TrainOptions,
): Float32Array {
  const state = createState(rate, decay, smoothing);
  const sum = new Float32Array(state.weights.length);
  const random = createRandom(13);
  let [seen, states] = [0, 0];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const row of shuffled(rows, random)) {
      learn(state, row);
      seen++;
      if (seen % AVERAGE_EVERY !== 0 || epoch < epochs / 2) continue;
      states++;
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (state.weights[at] ?? 0);
    }
  }
  return states === 0 ? state.weights : sum.map((value) => value / states);
}

interface State {
  weights: Float32Array;
  squares: Float32Array;
  errors: Float64Array;
  rate: number;
  decay: number;
  smoothing: number;
}

function createState(rate: number, decay: number, smoothing: number): State {
  const weights = new Float32Array((1 << INTENT_BITS) * CLASSES);
  const squares = new Float32Array(weights.length).fill(1e-4);
  return { weights, squares, errors: new Float64Array(CLASSES), rate, decay, smoothing };
}

function learn(
  { weights, squares, errors, rate, decay, smoothing }: State,
  { columns, label, weight }: IntentRow,
): void {
  setErrors(errors, weights, columns, label, smoothing);
  for (const column of columns) {
    for (let index = 0; index < CLASSES; index++) {
      const at = column * CLASSES + index;
      const gradient = weight * (errors[index] ?? 0) + decay * (weights[at] ?? 0);
      const square = (squares[at] ?? 0) + gradient * gradient;
      squares[at] = square;
      weights[at] = (weights[at] ?? 0) - (rate * gradient) / Math.sqrt(square);
    }
  }
}

function setErrors(
  errors: Float64Array,
  weights: Float32Array,
  columns: Int32Array,
  label: number,
  smoothing: number,
): void {
  errors.fill(0);
  for (const column of columns) {
    const row = column * CLASSES;
    for (let index = 0; index < CLASSES; index++) errors[index] = (errors[index] ?? 0) + (weights[row + index] ?? 0);
  }
  const top = Math.max(...errors);
  let total = 0;
  for (let index = 0; index < CLASSES; index++) {
    const power = Math.exp((errors[index] ?? 0) - top);
    errors[index] = power;
    total += power;
  }
  const spread = smoothing / CLASSES;
  for (let index = 0; index < CLASSES; index++) {
    errors[index] = (errors[index] ?? 0) / total - spread - (index === label ? 1 - smoothing : 0);
  }
}
