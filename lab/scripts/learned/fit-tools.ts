/**
 * Fits the weights of the choice of tools and prints them as src/builtin/tools/choose-tool.ts has them:
 * `npm run eval -- fit-tools`. It writes no file.
 */
import { weigh } from '../../../src/builtin/tools/choose-tool.ts';
import { type MeasuredTool, measureTools } from '../../../src/builtin/tools/measure-tools.ts';
import { readToolDocument } from '../../../src/builtin/tools/tool-document.ts';
import { loadWordVectors } from '../../../src/language/word-vectors.ts';
import { createZone } from '../../../src/language/zoned-time.ts';
import type { ToolDefinition } from '../../../src/models/model.ts';
import { partOf, readOutsideCases, readPublicCases, type ToolCase } from '../eval-tools.ts';

type Measures = Readonly<Record<string, number>>;

/** Signs that a weight may have, by the name of its measure. */
type Signs = Readonly<Record<string, 'positive' | 'negative' | 'any'>>;

interface WeightedRow {
  measures: Measures;
  label: 0 | 1;
  weight: number;
}

interface FittedWeights {
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
function fitWeights(
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

const RANK_SIGNS: Signs = {
  ...{ lexical: 'positive', alignment: 'positive', name: 'positive', action: 'positive' },
  ...{ same: 'positive', missing: 'negative', filled: 'positive', optional: 'positive', used: 'positive' },
  ...{ unused: 'negative', options: 'positive', object: 'positive' },
  ...{ exact: 'any', idle: 'negative', clash: 'negative', lead: 'positive' },
};
const FIT_SIGNS: Signs = {
  ...{ openLexical: 'positive', openAlignment: 'positive', openName: 'positive' },
  ...{ action: 'any', alike: 'positive', missing: 'negative', filled: 'positive', optional: 'any' },
  ...{ used: 'positive', unused: 'negative', options: 'positive', object: 'positive' },
  ...{ same: 'positive', clash: 'negative', idle: 'negative', lead: 'positive' },
};
/** Weights of the sets and of the examples made from them, set by hand. */
const SET_WEIGHTS = { live: 1, multiple: 0.5, irrelevance: 1, outside: 4 };
const EXAMPLE_WEIGHTS = { oneMissing: 0.3, takenAway: 0.25, exchanged: 0.35 };
/** Cases to the one whose tools are exchanged: neighbours in a set often share their tools. */
const EXCHANGE_DISTANCE = 37;
/** Least match of the tool's thing at which a message asks for it even with an argument less. */
const NAMES_OBJECT = 0.8;
const MAX_MISSING = 3;
/** Letters beyond the Latin ones. The model is for English, so such a message is no example of a tool that fits. */
const FOREIGN = /[^\x00-\u024f\u2010-\u2030\u20ac]/;

interface MeasuredCase extends ToolCase {
  weight: number;
  measured: MeasuredTool[];
}

const vectors = loadWordVectors();
const zone = createZone({ now: new Date('2026-11-16T12:00:00Z'), timezone: 'UTC' });
const sets = readSets();
const rank = fitWeights(sets.flat().flatMap(compareTools), { signs: RANK_SIGNS, hasBias: false });
const fit = fitWeights(sets.flatMap(judgeTools), { signs: FIT_SIGNS, hasBias: true });
console.log(`RANK ${format(rank.weights)}`);
console.log(`FIT ${format(fit.weights)}`);
console.log(`BIAS ${fit.bias.toFixed(2)}`);

/** Held-out rows stay out. */
function readSets(): MeasuredCase[][] {
  const learnable = (name: string, hasTruth = true) => partOf(readPublicCases(name, { hasTruth }), 'learn');
  const outside = ['16', '17a', '17b', '17c', '17d'].map((day) => readOutsideCases(`2026-11-${day}`));
  return [
    measureSet(learnable('bfcl_live_multiple_first450'), SET_WEIGHTS.live),
    measureSet(learnable('bfcl_multiple'), SET_WEIGHTS.multiple),
    measureSet(learnable('bfcl_live_irrelevance_first200', false), SET_WEIGHTS.irrelevance),
    ...outside.map((cases) => measureSet(cases, SET_WEIGHTS.outside)),
  ];
}

function measureSet(cases: readonly ToolCase[], weight: number): MeasuredCase[] {
  return cases.map((one) => ({ ...one, weight, measured: measure(one.say, one.tools) }));
}

function measure(say: string, tools: readonly ToolDefinition[]): MeasuredTool[] {
  const documents = tools.map(readToolDocument);
  return measureTools(say, { documents, named: new Set(), vectors, context: { zone, ids: [] } });
}

/** The right tool against each of the others, as the difference of their measures. */
function compareTools({ measured, truth, weight }: MeasuredCase): WeightedRow[] {
  const right = measured.find(({ document }) => document.tool.name === truth?.name);
  if (!right) return [];
  const others = measured.filter((tool) => tool !== right);
  return others.map((other) => ({
    measures: subtract(right.measures, other.measures),
    label: 1,
    weight: weight / others.length,
  }));
}

function subtract(from: Measures, other: Measures): Measures {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, value - (other[name] ?? 0)]));
}

/** Tools that fit, and the best of those that do not: the right one is taken away or all are another message's. */
function judgeTools(cases: readonly MeasuredCase[]): WeightedRow[] {
  return cases.flatMap((one, index) => {
    const { say, tools, truth, weight, measured } = one;
    if (!truth) return declineBest(measured, weight);
    const isOther = ({ name }: ToolDefinition) => name !== truth.name;
    const otherTools = cases[(index + EXCHANGE_DISTANCE) % cases.length]?.tools ?? [];
    const exchanged = otherTools.every(isOther) ? measure(say, otherTools) : [];
    return [
      ...acceptRight(one),
      ...declineBest(measure(say, tools.filter(isOther)), weight * EXAMPLE_WEIGHTS.takenAway),
      ...declineBest(exchanged, weight * EXAMPLE_WEIGHTS.exchanged),
    ];
  });
}

function acceptRight({ say, truth, weight, measured }: MeasuredCase): WeightedRow[] {
  const right = measured.find(({ document }) => document.tool.name === truth?.name);
  if (!right) return [];
  const { measures, filled } = right;
  const hasClearObject = filled.scores.length > 0 && (measures.object ?? 0) > NAMES_OBJECT;
  const lessWeight = weight * EXAMPLE_WEIGHTS.oneMissing;
  return [
    ...(hasClearObject ? [{ measures: withoutOneArgument(right), label: 1 as const, weight: lessWeight }] : []),
    ...(FOREIGN.test(say) ? [] : [{ measures, label: 1 as const, weight }]),
  ];
}

/** The measures as if the message named one argument less: it still asks for the tool. */
function withoutOneArgument({ measures, filled: { scores } }: MeasuredTool): Measures {
  const { missing = 0, filled = 0, used = 0 } = measures;
  return {
    ...measures,
    missing: Math.min(MAX_MISSING, missing + 1),
    filled: (filled * (scores.length - 1)) / scores.length,
    used: used / 2,
  };
}

function declineBest(measured: readonly MeasuredTool[], weight: number): WeightedRow[] {
  const score = ({ measures }: MeasuredTool) => weigh(rank.weights, measures);
  const [best] = measured.toSorted((a, b) => score(b) - score(a));
  return best ? [{ measures: best.measures, label: 0, weight }] : [];
}

function format(weights: Measures): string {
  const entries = Object.entries(weights).map(([name, weight]) => `${name}: ${weight.toFixed(2)}`);
  return `{ ${entries.join(', ')} }`;
}
