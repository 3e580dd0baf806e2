import { fullWord } from '../../language/short-forms.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { isOneTypoAway, stem } from '../../language/words.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import { type FillContext, SURE } from './arguments/candidate.ts';
import type { FilledArguments } from './arguments/fill-arguments.ts';
import { type MeasuredTool, measureTools } from './measure-tools.ts';
import { asksForFact, type MessageSignals, readMessageSignals } from './message-signals.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';
import { effectOf } from './tool-effect.ts';

const QUOTED = /("[^"]*"|`[^`]*`|(?<=^|[\s(:,=])'[^']*'(?=$|[\s.,!?;:)]))/;
/** A word of small letters that is no part of an address, a path or a code. */
const WORD = /(?<![\p{L}\d_@./#'’-])[a-z]+(?![\p{L}\d_@/'’-]|\.\w)/gu;
/** Spellings of hurry that messages to tools have. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ u: 'you', ur: 'your', ppl: 'people', rn: 'right now', wats: "what's", hows: "how's" }),
  ...Object.entries({ pls: 'please', plz: 'please', thx: 'thanks', mins: 'minutes', hrs: 'hours', bday: 'birthday' }),
]);
const LEAST_LETTERS = 5;

/** The message with short spellings written out and misspelt words of the tools corrected. Quoted texts stay as they are. */
export function spellOut(text: string, documents: readonly ToolDocument[], vectors: WordVectors): string {
  const known = new Set(documents.flatMap((one) => [one.name, one.description, one.arguments, one.values].flat()));
  const mend = (word: string): string => {
    const full = SHORT.get(word) ?? fullWord(word);
    if (full !== undefined) return full;
    if (word.length < LEAST_LETTERS || known.has(word) || vectors.isWord(word)) return word;
    return [...known].find((other) => other.length >= LEAST_LETTERS && isTypoOf(word, other)) ?? word;
  };
  const parts = text.split(QUOTED);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(WORD, mend))).join('');
}

/** A plural is no typo. */
function isTypoOf(word: string, other: string): boolean {
  return word[0] === other[0] && isOneTypoAway(word, other) && word !== `${other}s` && other !== `${word}s`;
}

export interface ToolChoice {
  document: ToolDocument;
  /** 0 to 1. Below 0.5 the tool does not fit the message. */
  confidence: number;
  /** The same without the floors for values that are clear. */
  byWords: number;
  /** True if the message speaks of the tool's thing. */
  isNamed: boolean;
  /** The intent of agent.yaml that names the tool, otherwise the tool's own name. */
  intent: string;
  filled: FilledArguments;
}

export interface ToolKnowledge {
  documents: readonly ToolDocument[];
  intents: Readonly<Record<string, IntentConfig>>;
  vectors: WordVectors;
}

/**
 * Weights fitted by logistic regression on the public calls and the outside sets that may be learned from, on 60 requests of
 * our own in other words than the tools', and on the same messages with the right tool taken away or with the tools of
 * another message. `RANK` compares tools, `FIT` says whether one fits at all. `BIAS` and the weight of `missing` were set by
 * hand: the bias declines as often as before the fit, and a question for a missing value stays possible.
 */
const RANK = {
  ...{ lexical: 0.75, alignment: 3.68, name: 1.47, action: 0.06, same: 1.48 },
  ...{ missing: -1, filled: 1.89, optional: 0.87, used: 0.65, unused: -0.88, options: 0.48 },
  ...{ object: 1.19, idle: -1.69, clash: -1.59 },
  ...{ lead: 0.29, own: 0.72 },
};
const FIT = {
  ...{ openLexical: 0.27, openAlignment: 1.64, openName: 1.84, action: 0.22, alike: 1.76 },
  ...{ missing: -0.4, filled: 1.42, optional: 0.36, unused: -0.58, options: 0.6 },
  ...{ object: 0.32, same: 0.22, clash: -1.61, idle: -1.74, lead: 0.99, own: 1.03 },
};
const BIAS = -3.7;
const EXAMPLE_WEIGHT = 4;
const KEYWORD_WEIGHT = 0.8;
const BY_VALUES = 0.6;
const BY_SHARP_VALUES = 0.65;

/** The likely tools for a message with their arguments, the best first. */
export function rankTools(said: string, knowledge: ToolKnowledge, context: FillContext): ToolChoice[] {
  const { documents, intents, vectors } = knowledge;
  const text = spellOut(said, documents, vectors);
  const signals = readMessageSignals(text);
  const isQuestion =
    asksForFact(text) || (/\?\s*$/.test(text) && !/^\s*(?:can|could|will|would) (?:you|we)\b/i.test(text));
  const named = new Set(Object.values(intents).map(({ tool }) => tool));
  const ranked = measureTools(text, { documents, named, vectors, context }).map(({ document, filled, measures }) => {
    const own = Object.entries(intents).find(([, intent]) => intent.tool === document.tool.name);
    const bonus = own ? authorScore(signals, own[1]) : 0;
    const words = toConfidence(weigh(FIT, measures) + BIAS + bonus);
    const confidence = Math.max(
      words,
      byValues(document, filled, { ...measures, words, question: Number(isQuestion) }),
    );
    const choice = {
      document,
      filled,
      intent: own?.[0] ?? document.tool.name,
      confidence,
      byWords: words,
      isNamed: isNamedIn(measures),
    };
    return { choice, rank: weigh(RANK, measures) + bonus };
  });
  return ranked.sort((a, b) => b.rank - a.rank).map(({ choice }) => choice);
}

const LIKE_NAME = 0.6;
const MOSTLY_KNOWN = 0.75;

function isNamedIn({ object = 0, alike = 0 }: MeasuredTool['measures']): boolean {
  return object >= LIKE_NAME || alike >= MOSTLY_KNOWN;
}

const LEAST_SHARP = 2;
const LEAST_LEAD = 0.1;
const CLEAR_LEAD = 0.4;
const LEAST_ASKED = 0.2;
const LEAST_CODE = 0.6;
const LEAST_NAMED = 0.45;

/**
 * The values alone may show the tool: it takes all of them, each is clearly its own, and no other tool takes them as
 * well. "Has LH455 landed yet" needs one value, since reading harms nothing; a change needs two.
 */
function byValues(
  document: ToolDocument,
  { scores, sure, own, use, hasRest, missing }: FilledArguments,
  { lead = 0, open = 0, action = 0, words = 0, question = 0 }: MeasuredTool['measures'],
): number {
  // "add Mia's birthday on December 5": the verb and the day are the tool's, and the other words are the title.
  if (hasRest && action === 1 && missing.length === 0 && scores.length > 0 && sure > 0) return BY_VALUES;
  if (use.unused > 0 || missing.length > 0) return 0;
  const least = Math.min(1, ...scores);
  if (effectOf(document) === 'read') {
    const isAnswer = question > 0 && words >= LEAST_ASKED && scores.length > 0 && own === scores.length;
    const isSharp = (lead >= CLEAR_LEAD && least >= LEAST_CODE) || (open === 0 && least >= SURE.shaped);
    return isAnswer || (isSharp && sure > 0) ? BY_VALUES : 0;
  }
  const isSharp = (least >= SURE.described && lead >= LEAST_LEAD) || (least >= LEAST_NAMED && lead >= CLEAR_LEAD);
  return scores.length > 0 && sure >= LEAST_SHARP && isSharp ? BY_SHARP_VALUES : 0;
}

/** The weighted sum of the measures; one that is absent counts as 0. */
export function weigh(weights: Readonly<Record<string, number>>, measures: Readonly<Record<string, number>>): number {
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * (measures[name] ?? 0), 0);
}

function toConfidence(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** Scores the author's own examples and keywords. */
function authorScore({ stems, words }: MessageSignals, { examples, keywords }: IntentConfig): number {
  const likeness = Math.max(
    0,
    ...examples.map((example) => overlap(stems, new Set(splitWords(example).filter(isContentWord).map(stem)))),
  );
  const keyword = keywords.some((word) => words.includes(word.toLowerCase())) ? KEYWORD_WEIGHT : 0;
  return EXAMPLE_WEIGHT * likeness + keyword;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, a.size + b.size - shared);
}
