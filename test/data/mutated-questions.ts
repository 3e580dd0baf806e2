import { readFileSync } from 'node:fs';
import type { createChance } from '../../scripts/retail-chance.ts';
import type { DataQuery } from '../../src/schema/data-query.ts';
import type { FramedQuestion } from './frames.ts';
import { dimensionsOf, phraseOf, valuesOf } from './vocabulary.ts';

type Chance = ReturnType<typeof createChance>;

export const MUTATIONS = [
  'unknown condition',
  'flipped direction',
  'swapped value',
  'removed not',
  'added each',
] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** A changed question. Only `query` may be answered with high confidence; without it nothing may. */
export interface Mutated {
  mutation: Mutation;
  text: string;
  query?: DataQuery;
  /** Content words of a condition that the data does not know. */
  unknown: string[];
}

const FILE = new URL('../fixtures/routing/mutations.txt', import.meta.url);

function readConditions(): string[] {
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Changes a question in one way; undefined if it has nothing to change. */
export function mutate(question: FramedQuestion, mutation: Mutation, chance: Chance): Mutated | undefined {
  switch (mutation) {
    case 'unknown condition':
      return addCondition(question, chance);
    case 'flipped direction':
      return flip(question);
    case 'swapped value':
      return swap(question, chance);
    case 'removed not':
      return affirm(question);
    case 'added each':
      return addEach(question, chance);
  }
}

const SMALL =
  /^(?:in|for|during|before|the|by|with|a|an|from|who|of|on|after|than|people|customers|our|while|was|under|to|as|were)$/;

function addCondition({ text }: FramedQuestion, chance: Chance): Mutated {
  const condition = chance.pick(readConditions());
  const [, body = text, end = ''] = /^(.*?)([?.]?)$/.exec(text) ?? [];
  const unknown = condition.split(/[\s-]+/).filter((word) => !SMALL.test(word.toLowerCase()));
  return { mutation: 'unknown condition', text: `${body} ${condition}${end}`, unknown };
}

const OPPOSITES: Record<string, string> = {
  highest: 'lowest',
  largest: 'smallest',
  biggest: 'smallest',
  lowest: 'highest',
  smallest: 'largest',
  top: 'bottom',
  bottom: 'top',
  fewest: 'most',
};

function flip({ text, query, frame }: FramedQuestion): Mutated | undefined {
  // "Who's on top" and "worst month" name the direction twice.
  if (!query.order || /on top|worst/.test(frame.pattern)) return undefined;
  const found = /\b(?:highest|largest|biggest|lowest|smallest|top|bottom|fewest)\b/i.exec(text);
  if (!found) return undefined;
  const word = found[0].toLowerCase();
  const direction = query.order.direction === 'highest' ? 'lowest' : 'highest';
  const flipped = text.replace(found[0], OPPOSITES[word] ?? word);
  return {
    mutation: 'flipped direction',
    text: flipped,
    query: { ...query, order: { ...query.order, direction } },
    unknown: [],
  };
}

function swap({ text, query, values, model, base }: FramedQuestion, chance: Chance): Mutated | undefined {
  const [old] = values;
  if (!old) return undefined;
  const others = valuesOf(model, base).filter((one) => one.dimension === old.dimension && one.value !== old.value);
  if (others.length === 0 || !text.toLowerCase().includes(phraseOf(old).toLowerCase())) return undefined;
  const other = chance.pick(others);
  const replace = <T extends DataQuery['filters'][number]>(filter: T): T =>
    filter.dimension === old.dimension ? { ...filter, values: [other.value] } : filter;
  const part = query.part && { ...query.part, filters: query.part.filters.map(replace) };
  const at = text.toLowerCase().indexOf(phraseOf(old).toLowerCase());
  return {
    mutation: 'swapped value',
    text: text.slice(0, at) + phraseOf(other) + text.slice(at + phraseOf(old).length),
    query: { ...query, filters: query.filters.map(replace), part },
    unknown: [],
  };
}

const NEGATIONS: readonly (readonly [string, string])[] = [
  ['excluding', 'for'],
  ['for everything other than', 'for'],
  ['Leave out', 'Take'],
  ['without', 'for'],
  [', not counting', ' and'],
];

function affirm({ text, query }: FramedQuestion): Mutated | undefined {
  const found = NEGATIONS.find(([negation]) => text.includes(negation));
  if (!found || !query.filters.some(({ negated }) => negated)) return undefined;
  const filters = query.filters.map((filter) => ({ ...filter, negated: false }));
  return { mutation: 'removed not', text: text.replace(...found), query: { ...query, filters }, unknown: [] };
}

function addEach({ text, query, model, base }: FramedQuestion, chance: Chance): Mutated | undefined {
  const used = [...query.dimensions, ...query.filters.map(({ dimension }) => dimension)];
  const free = dimensionsOf(model, base).filter(({ name }) => !used.includes(name));
  if (free.length === 0 || query.dimensions.length > 0 || query.grain || query.share !== 'none') return undefined;
  const { name } = chance.pick(free);
  const [, body = text, end = ''] = /^(.*?)([?.]?)$/.exec(text) ?? [];
  return {
    mutation: 'added each',
    text: `${body} for each ${name}${end}`,
    query: { ...query, dimensions: [name] },
    unknown: [],
  };
}
