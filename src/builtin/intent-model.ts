import { readFileSync } from 'node:fs';
import { FEATURE_BITS } from './features.ts';

export const CLASSES = ['create', 'list', 'complete', 'delete', 'update', 'clarify', 'unknown'] as const;
export type IntentClass = (typeof CLASSES)[number];

/** Trained weights: one row of int8 for each feature, a scale for each class. */
export interface IntentModel {
  weights: Int8Array;
  scales: Float32Array;
}

export type Probabilities = Readonly<Record<IntentClass, number>>;

const FILE = new URL('./data/intent-model.bin', import.meta.url);

/** Reads the committed tables: the scales, then the weights. */
export function loadIntentModel(file: URL = FILE): IntentModel {
  const bytes = readFileSync(file);
  const scaleBytes = CLASSES.length * 4;
  const scales = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + scaleBytes));
  return {
    scales,
    weights: new Int8Array(bytes.buffer, bytes.byteOffset + scaleBytes, (1 << FEATURE_BITS) * CLASSES.length),
  };
}

/** How likely each class is for a message with these features. */
export function scoreIntents({ weights, scales }: IntentModel, features: readonly number[]): Probabilities {
  const sums = CLASSES.map((_, index) => {
    let sum = 0;
    for (const feature of features) sum += weights[feature * CLASSES.length + index] ?? 0;
    return sum * (scales[index] ?? 0);
  });
  return toProbabilities(sums);
}

function toProbabilities(sums: readonly number[]): Probabilities {
  const top = Math.max(...sums);
  const exps = sums.map((sum) => Math.exp(sum - top));
  const total = exps.reduce((sum, value) => sum + value, 0);
  // One value for each class, in the order of CLASSES.
  return Object.fromEntries(CLASSES.map((name, index) => [name, (exps[index] ?? 0) / total])) as Probabilities;
}
