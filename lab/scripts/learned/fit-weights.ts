export type Measures = Readonly<Record<string, number>>;

/** Signs that a weight may have, by the name of its measure. */
export type Signs = Readonly<Record<string, 'positive' | 'negative' | 'any'>>;

export interface WeightedRow {
  measures: Measures;
  label: 0 | 1;
  weight: number;
}

export interface FittedWeights {
  weights: Record<string, number>;
  bias: number;
}

const STEPS = 4000;
const RATE = 0.5;
const DECAY = 0.0008;

/**
 * Logistic regression by gradient descent over all rows. A weight whose sign is not allowed is set back to 0 after each
 * step. The same rows always give the same weights.
 */
export function fitWeights(
  rows: readonly WeightedRow[],
  { signs, hasBias }: { signs: Signs; hasBias: boolean },
): FittedWeights {
  const names = Object.keys(signs);
  const samples = rows.map((row) => toSample(row, names));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(names.length);
  let bias = 0;
  for (let step = 0; step < STEPS; step++) {
    const slope = slopeAt(samples, weights, bias);
    names.forEach((name, at) => {
      const weight = weights[at] ?? 0;
      const moved = weight - RATE * ((slope.weights[at] ?? 0) / total + DECAY * weight);
      weights[at] = isAllowed(moved, signs[name]) ? moved : 0;
    });
    if (hasBias) bias -= (RATE * slope.bias) / total;
  }
  return { weights: Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0])), bias };
}

interface Sample {
  values: Float64Array;
  label: number;
  weight: number;
}

function toSample({ measures, label, weight }: WeightedRow, names: readonly string[]): Sample {
  return { values: Float64Array.from(names, (name) => measures[name] ?? 0), label, weight };
}

/** The sum of the errors of all samples, for each weight and for the bias. */
function slopeAt(samples: readonly Sample[], weights: Float64Array, bias: number) {
  const slope = { weights: new Float64Array(weights.length), bias: 0 };
  for (const { values, label, weight } of samples) {
    let score = bias;
    for (let at = 0; at < values.length; at++) score += (weights[at] ?? 0) * (values[at] ?? 0);
    const error = weight * (1 / (1 + Math.exp(-score)) - label);
    for (let at = 0; at < values.length; at++) slope.weights[at] = (slope.weights[at] ?? 0) + error * (values[at] ?? 0);
    slope.bias += error;
  }
  return slope;
}

function isAllowed(weight: number, sign: Signs[string] | undefined): boolean {
  return !((sign === 'positive' && weight < 0) || (sign === 'negative' && weight > 0));
}
