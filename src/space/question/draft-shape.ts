import type { Comparison, Grain, Period } from '../../schema/data-query.ts';
import type { FunctionSense } from './words/function-words.ts';
import type { Item } from './words/item.ts';
import type { Sense } from './words/lexicon.ts';
import type { NumberSign } from './words/tokens.ts';

/** An item with the one sense that this reading gives to its words. */
export type ReadItem = Exclude<Item, { kind: 'content' }> | (Extract<Item, { kind: 'content' }> & { sense: Sense });

export type Marker = FunctionSense['kind'];

/** A noun, measure or dimension with the task that its left neighbours give it. */
export interface Mention {
  at: number;
  words: string;
  sense: Extract<Sense, { kind: 'measure' | 'noun' | 'dimension' }>;
  task: 'count' | 'group' | 'per' | 'measure' | 'having' | 'without' | 'missing' | 'loose' | 'bound';
  /** The word that introduced it. */
  by?: Marker | undefined;
  isPlural: boolean;
  average?: boolean;
  total?: boolean;
}

export interface DraftValue {
  at: number;
  words: string;
  sense: Extract<Sense, { kind: 'value' }>;
  negated: boolean;
  /** The preposition before it: to, from. */
  role?: string | undefined;
}

interface DraftFilter {
  at: number;
  words: string;
  sense: Extract<Sense, { kind: 'filter' }>;
  negated: boolean;
}

export interface DraftNumber {
  at: number;
  words: string;
  is: Comparison;
  value: number;
  sign?: NumberSign | undefined;
  /** The mention that it compares; undefined if none stands beside it. */
  target?: Mention | undefined;
  isTimes?: boolean;
  /** No word compares it: "3 orders", "the three warehouses". */
  isBare?: boolean;
}

/** Parts of a question before they are fitted to a model. */
export interface Draft {
  mentions: Mention[];
  values: DraftValue[];
  filters: DraftFilter[];
  numbers: DraftNumber[];
  verbs: { at: number; words: string; table: string; negated: boolean }[];
  /** Verbs that add nothing, if the rows are of their table. */
  light: { at: number; words: string; table: string }[];
  periods: { at: number; period: Period; isDoubtful: boolean; isCompared: boolean }[];
  grain?: { grain: Grain; isTrend: boolean; words: string } | undefined;
  most?: { at: number; direction: 'highest' | 'lowest'; word: 'most' | 'top' | 'best' } | undefined;
  /** The order of the rows, without a choice of the first ones. */
  sort?: { direction: 'highest' | 'lowest'; word: 'most' | 'best' } | undefined;
  /** The difference between two periods is asked for. */
  change?: 'up' | 'down' | undefined;
  limit?: number | undefined;
  head?: Marker | undefined;
  asks?: 'thing' | 'person' | 'time' | 'place' | undefined;
  isYesNo: boolean;
  /** It asks for the state of now. */
  isNow: boolean;
  /** "Current stock": beside a period of another measure it says that the state has none. */
  isCurrent: boolean;
  /** "What do they complain about": the object is asked for, and the nouns are its subjects. */
  asksObject: boolean;
  /** "What is out of stock": things are asked for. */
  asksWhat: boolean;
  markers: ReadonlySet<Marker>;
  /** Words that were read over, but may say something. */
  soft: string[];
  pronouns: string[];
  /** Pronouns that point back at a word of the same sentence. */
  references: string[];
  /** Words whose task was not found. */
  problems: string[];
  items: readonly ReadItem[];
}
