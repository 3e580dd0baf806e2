import { FEATURE_BITS } from '../src/builtin/features.ts';

export interface Example {
  features: number[];
  label: number;
  weight: number;
}

export interface TrainOptions {
  classes: number;
  epochs: number;
  rate: number;
  decay: number;
}

/** Multinomial logistic regression by AdaGrad. The order of examples is fixed, so the result is too. */
export function trainLinear(
  examples: readonly Example[],
  { classes, epochs, rate, decay }: TrainOptions,
): Float32Array {
  const weights = new Float32Array((1 << FEATURE_BITS) * classes);
  const squares = new Float32Array(weights.length).fill(1e-6);
  const order = examples.map((_, index) => index);
  const random = createRandom(7);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index];
      if (example) learn({ weights, squares, classes, rate, decay }, example);
    }
  }
  return weights;
}

interface Learner {
  weights: Float32Array;
  squares: Float32Array;
  classes: number;
  rate: number;
  decay: number;
}

function learn({ weights, squares, classes, rate, decay }: Learner, { features, label, weight }: Example): void {
  const errors = softmax(weights, features, classes);
  errors[label] = (errors[label] ?? 0) - 1;
  for (const feature of features) {
    for (let index = 0; index < classes; index++) {
      const at = feature * classes + index;
      const gradient = weight * (errors[index] ?? 0) + decay * (weights[at] ?? 0);
      squares[at] = (squares[at] ?? 0) + gradient * gradient;
      weights[at] = (weights[at] ?? 0) - (rate * gradient) / Math.sqrt(squares[at] ?? 1);
    }
  }
}

function softmax(weights: Float32Array, features: readonly number[], classes: number): number[] {
  const sums = Array.from({ length: classes }, (_, index) =>
    features.reduce((sum, feature) => sum + (weights[feature * classes + index] ?? 0), 0),
  );
  const top = Math.max(...sums);
  const exps = sums.map((sum) => Math.exp(sum - top));
  const total = exps.reduce((sum, value) => sum + value, 0);
  return exps.map((value) => value / total);
}

/** The scales as float32, then the weights as int8. */
export function packWeights(weights: Float32Array, classes: number): Uint8Array {
  const scales = new Float32Array(classes);
  for (let at = 0; at < weights.length; at++) {
    scales[at % classes] = Math.max(scales[at % classes] ?? 0, Math.abs(weights[at] ?? 0) / 127);
  }
  const packed = Int8Array.from(weights, (weight, at) => Math.round(weight / (scales[at % classes] || 1)));
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(packed.buffer)]);
}

function shuffle(order: number[], random: () => number): void {
  for (let index = order.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
