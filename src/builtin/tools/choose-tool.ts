import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import { actionsOf } from './actions.ts';
import { type FillContext, SURE } from './arguments/candidate.ts';
import { type FilledArguments, fillFrom } from './arguments/fill-arguments.ts';
import { readMessageValues } from './arguments/message-values.ts';
import { coverageOf, needWords, openText } from './coverage.ts';
import { type MessageSignals, readMessageSignals } from './message-signals.ts';
import { scoreTools } from './score-tools.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';

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
  ...{ lexical: 0.26, topic: 2.15, alignment: 4.36, name: 2.84, action: 0.46, same: 1.52 },
  ...{ missing: -0.64, filled: 2.41, optional: 0.45 },
};
const FIT = {
  ...{ openLexical: 0.39, openTopic: 1.87, openAlignment: 0.88, openName: 2, action: 0.29, alike: 1.43, words: -1.65 },
  ...{ missing: -0.37, filled: 2.07, optional: 0.5 },
};
const BIAS = -3.85;
const EXAMPLE_WEIGHT = 4;
const KEYWORD_WEIGHT = 0.8;
/** Only the first few are filled: that decides between tools that are alike. */
const MAX_FILLED = 3;
const FAR_BEHIND = 2;
const MAX_COUNT = 3;
const NO_ARGUMENTS = 0.7;
const BY_VALUES = 0.6;

/** The likely tools for a message with their arguments, the best first. */
export function rankTools(text: string, knowledge: ToolKnowledge, context: FillContext): ToolChoice[] {
  const { intents } = knowledge;
  const signals = readMessageSignals(text);
  const ranked = measureTools(text, knowledge, context).map(({ document, filled, measures }) => {
    const own = Object.entries(intents).find(([, intent]) => intent.tool === document.tool.name);
    const bonus = own ? authorScore(signals, own[1]) : 0;
    const isEmpty = measures.words === 0 && bonus === 0;
    const words = isEmpty ? confidenceByValues(document, filled) : toConfidence(weigh(FIT, measures) + BIAS + bonus);
    const confidence = isToldBy(filled, measures) ? Math.max(words, BY_VALUES) : words;
    const choice = { document, filled, intent: own?.[0] ?? document.tool.name, confidence };
    return { choice, rank: weigh(RANK, measures) + bonus };
  });
  return ranked.sort((a, b) => b.rank - a.rank).map(({ choice }) => choice);
}

interface MeasuredTool {
  document: ToolDocument;
  filled: FilledArguments;
  measures: Record<string, number>;
}

/**
 * Measures the tools that are likely by their words. The whole message separates tools; whether one fits at all is
 * judged by the message without its values, so that a quoted text neither speaks for a tool nor against it.
 */
function measureTools(
  text: string,
  { documents, intents, vectors }: ToolKnowledge,
  context: FillContext,
): MeasuredTool[] {
  const need = needWords(text);
  const values = readMessageValues(text, context.zone);
  const named = new Set(Object.values(intents).map(({ tool }) => tool));
  const first = scoreTools(readMessageSignals(text), documents, vectors).toSorted((a, b) => b.total - a.total);
  const likely = first.filter(
    ({ document, total }, index) =>
      (index < MAX_FILLED && total > (first[0]?.total ?? 0) - FAR_BEHIND) || named.has(document.tool.name),
  );
  const open = scoreTools(
    readMessageSignals(need.length > 0 ? openText(text) : text, text),
    likely.map(({ document }) => document),
    vectors,
  );
  return likely.map(({ document, measures }, index) => {
    const filled = fillFrom(document.tool.inputSchema, values, { ...context, about: aboutOf(document), vectors });
    const { lexical = 0, topic = 0, alignment = 0, name = 0 } = open[index]?.measures ?? {};
    const coverage = coverageOf(need, document, vectors);
    const fit = {
      openLexical: lexical,
      openTopic: topic,
      openAlignment: alignment,
      openName: name,
      words: Math.min(1, need.length / 10),
    };
    return { document, filled, measures: { ...measures, ...coverage, ...measureFilled(filled), ...fit } };
  });
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

function weigh(weights: Readonly<Record<string, number>>, measures: Readonly<Record<string, number>>): number {
  return Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * (measures[name] ?? 0), 0);
}

function measureFilled({ scores, optional }: FilledArguments): { missing: number; filled: number; optional: number } {
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    missing: Math.min(MAX_COUNT, scores.filter((score) => score === 0).length),
    filled: scores.length === 0 ? NO_ARGUMENTS : sum / scores.length,
    optional: Math.min(MAX_COUNT, optional),
  };
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

/** The things that a tool's name speaks of: `get_project_by_name` of a project. */
function aboutOf({ name }: ToolDocument): string[] {
  return name.filter(
    (word) =>
      word.length > 2 &&
      isContentWord(word) &&
      actionsOf([word]).size === 0 &&
      !/^(?:api|by|name|info|data|tool|function)$/.test(word),
  );
}

export type ToolEffect = 'read' | 'write' | 'remove';

/** Beginnings of descriptions that name the answer: "The price of an article", "Current weather in a city". */
const TELLS =
  /^(?:the|an?|current|latest|today|weather|forecast|information|details?|list|status|price|prices|air|daily|hourly|number|how|what|which|where)\b/;

/** The effect of a tool, judged by the verbs of its name. Unknown verbs may write. */
export function effectOf({ name, description }: ToolDocument): ToolEffect {
  const named = actionsOf(name);
  const kinds =
    named.size > 0 ? named : actionsOf(description.slice(0, 3).flatMap((word) => [word, word.replace(/s$/, '')]));
  if (kinds.has('remove')) return 'remove';
  if (kinds.size === 0) return TELLS.test(description.slice(0, 2).join(' ')) ? 'read' : 'write';
  return kinds.has('read') || kinds.has('calculate') ? 'read' : 'write';
}

/** True if the message has a verb of the tool's name or description, or one that does the same. */
export function usesVerbOf({ name, description }: ToolDocument, text: string): boolean {
  const { words, actions } = readMessageSignals(text);
  const own = [...name, ...description.slice(0, 8)];
  const kinds = actionsOf([...name, ...description.slice(0, 2)]);
  const stems = new Set(words.slice(0, 8).map(stem));
  return (
    own.some((word) => isContentWord(word) && stems.has(stem(word))) || [...kinds].some((kind) => actions.has(kind))
  );
}

/** True if the message asks to remove something; removing tools run only then. */
export function asksToRemove(text: string): boolean {
  return (
    readMessageSignals(text).actions.has('remove') || /\b(?:get rid|throw away|wipe|purge|scrap|discard)\b/i.test(text)
  );
}
