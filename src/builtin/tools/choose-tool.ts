import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import { type FillContext, SURE } from './arguments/candidate.ts';
import type { FilledArguments } from './arguments/fill-arguments.ts';
import { type MeasuredTool, measureTools } from './measure-tools.ts';
import { type MessageSignals, readMessageSignals } from './message-signals.ts';
import { spellOut } from './spell-out.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';
import { effectOf } from './tool-effect.ts';

export interface ToolChoice {
  document: ToolDocument;
  /** 0 to 1. Below 0.5 the tool does not fit the message. */
  confidence: number;
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
 * Weights fitted by logistic regression on the public calls that may be learned from, and on the same messages with the
 * right tool taken away or with the tools of another message. `RANK` compares tools, `FIT` says whether one fits at all.
 */
const RANK = {
  ...{ lexical: 1.01, topic: 0.81, alignment: 2.97, name: 1.53, action: 0.49, same: 1.54 },
  ...{ missing: -0.93, filled: 2.16, optional: 0.43, used: 0.88, unused: -0.69, options: 0.62 },
  ...{ verb: 0.25, object: 1.26, fit: 0.2, exact: 0.82, idle: -1.35, clash: -0.6 },
};
const FIT = {
  ...{ openLexical: 0.17, openTopic: 0.71, openAlignment: 1.51, openName: 0.98, action: 0.45, alike: 1.98 },
  ...{ missing: -0.32, filled: 1.55, optional: 0.53, used: 0.55, unused: -0.37, options: 0.58 },
  ...{ verb: 0.37, object: 1.19, same: 0.63, clash: -0.82, idle: -1.31 },
};
const BIAS = -4.58;
const EXAMPLE_WEIGHT = 4;
const KEYWORD_WEIGHT = 0.8;
const BY_VALUES = 0.6;

/** The likely tools for a message with their arguments, the best first. */
export function rankTools(said: string, knowledge: ToolKnowledge, context: FillContext): ToolChoice[] {
  const { documents, intents, vectors } = knowledge;
  const text = spellOut(said, documents, vectors);
  const signals = readMessageSignals(text);
  const named = new Set(Object.values(intents).map(({ tool }) => tool));
  const ranked = measureTools(text, { documents, named, vectors, context }).map(({ document, filled, measures }) => {
    const own = Object.entries(intents).find(([, intent]) => intent.tool === document.tool.name);
    const bonus = own ? authorScore(signals, own[1]) : 0;
    const words = toConfidence(weigh(FIT, measures) + BIAS + bonus);
    const confidence = Math.max(
      words,
      isToldBy(filled, measures) ? BY_VALUES : 0,
      measures.open === 0 ? confidenceByValues(document, filled) : 0,
    );
    const choice = { document, filled, intent: own?.[0] ?? document.tool.name, confidence };
    return { choice, rank: weigh(RANK, measures) + bonus };
  });
  return ranked.sort((a, b) => b.rank - a.rank).map(({ choice }) => choice);
}

/** "what's in config.yaml?" has only a value: a tool that reads may take it if its form is right. */
function confidenceByValues(document: ToolDocument, { scores }: FilledArguments): number {
  const isShaped = scores.length > 0 && scores.every((score) => score >= SURE.shaped);
  return isShaped && effectOf(document) === 'read' ? BY_VALUES : 0;
}

/**
 * "add Mia's birthday on December 5": the verb is the tool's, a day is there for it, and the words that the tool does not
 * know are the title.
 */
function isToldBy(
  { scores, sure, hasRest, missing }: FilledArguments,
  { action = 0 }: MeasuredTool['measures'],
): boolean {
  return hasRest && action === 1 && missing.length === 0 && scores.length > 0 && sure > 0;
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
