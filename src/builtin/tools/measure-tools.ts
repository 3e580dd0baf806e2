import { stripPoliteness } from '../../language/clean-text.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import { type ActionKind, actionOf, actionsOf } from './actions.ts';
import { type FillContext, SURE } from './arguments/candidate.ts';
import { type FilledArguments, fillFrom } from './arguments/fill-arguments.ts';
import { readMessageValues } from './arguments/message-values.ts';
import { withConcepts } from './concepts.ts';
import { asksForFact, readMessageSignals } from './message-signals.ts';
import { scoreTools, type ToolScore } from './score-tools.ts';
import { requestOf } from './statement.ts';
import { readIdioms, readOrders } from './tables.ts';
import { argumentsOf, isContentWord, splitWords, type ToolDocument } from './tool-document.ts';
import { effectOf } from './tool-effect.ts';

/** A tool with its arguments filled from a message, and numbers that say how well the two suit each other. */
export interface MeasuredTool {
  document: ToolDocument;
  filled: FilledArguments;
  measures: Measures;
}

export interface MeasureOptions {
  documents: readonly ToolDocument[];
  /** Names of tools that are measured in any case. */
  named: ReadonlySet<string | undefined>;
  vectors: WordVectors;
  context: FillContext;
}

/** Only the first few are filled: that decides between tools that are alike. */
const MAX_FILLED = 4;
const FAR_BEHIND = 3;
const MAX_COUNT = 3;
const MAX_OWN = 2;
const NO_ARGUMENTS = 0.7;
/** A tool with optional arguments, of which the message names none. */
const NOTHING_TAKEN = 0.5;

/**
 * Measures the tools that are likely by their words. The whole message separates tools; whether one fits at all is
 * judged by the message without its values, so that a quoted text counts neither for a tool nor against it.
 */
export function measureTools(text: string, options: MeasureOptions): MeasuredTool[] {
  const { documents, named, context } = options;
  const vectors = withConcepts(options.vectors);
  const values = readMessageValues(text, context.zone);
  const first = scoreTools(readMessageSignals(text), documents, vectors).toSorted((a, b) => b.total - a.total);
  const likely = takeLikely(first, named);
  const tools = likely.map(({ document }) => document);
  const all = tools.map((document) =>
    fillFrom(document.tool.inputSchema, values, { ...context, about: aboutOf(document), vectors }),
  );
  // A remark beside the request may count for a tool, but not against it.
  const views = [...new Set([text, requestOf(text)])].map((part) => ({
    need: needWords(part),
    open: scoreTools(readMessageSignals(openText(part), text), tools, vectors),
  }));
  return likely.flatMap(({ document, measures }, index) => {
    const filled = all[index];
    if (!filled) return [];
    const seen = views.map(({ need, open }): Measures => {
      const { lexical = 0, alignment = 0, name = 0 } = open[index]?.measures ?? {};
      const coverage = coverageOf(withoutTaken(need, filled.taken), document, vectors);
      return { ...coverage, openLexical: lexical, openAlignment: alignment, openName: name };
    });
    const fit = {
      open: Number(hasOpenWords(text)),
      clash: clashes(text, document),
      idle: asksForFact(text) && effectOf(document) !== 'read' ? 1 : 0,
      lead: leadOf(filled, all),
    };
    const taken = measureFilled(filled, argumentsOf(document.tool.inputSchema).length > 0);
    return [{ document, filled, measures: { ...measures, ...mostOf(seen), ...taken, ...fit } }];
  });
}

type Measures = Record<string, number>;

/** The greatest value of each measure. */
function mostOf(seen: readonly Measures[]): Measures {
  const names = Object.keys(seen[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, Math.max(...seen.map((one) => one[name] ?? 0))]));
}

/** No tool needs to know the words that are clearly its values. */
function withoutTaken(need: readonly Need[], taken: readonly string[]): Need[] {
  const words = new Set(taken.flatMap(splitWords));
  const rest = need.filter((one) => !one.every((word) => words.has(word)));
  return rest.length > 0 ? rest : [...need];
}

/** How much better a tool takes the values of the message than any other tool does. */
function leadOf(filled: FilledArguments, all: readonly FilledArguments[]): number {
  const others = all.filter((other) => other !== filled).map(takeQuality);
  return takeQuality(filled) - Math.max(0, ...others);
}

function takeQuality({ scores, use, sure, missing }: FilledArguments): number {
  if (missing.length > 0 || use.used + sure === 0) return 0;
  // A text that takes the rest of the message takes no value.
  const mean = scores.reduce((sum, score) => sum + (score > SURE.left ? score : 0), 0) / Math.max(1, scores.length);
  return (Math.min(mean === 0 ? SURE.likely : mean, 1) * (use.used + 1)) / (use.used + use.unused + 1);
}

function takeLikely(sorted: readonly ToolScore[], named: MeasureOptions['named']): ToolScore[] {
  return sorted.filter(
    ({ document, total }, index) =>
      (index < MAX_FILLED && total > (sorted[0]?.total ?? 0) - FAR_BEHIND) || named.has(document.tool.name),
  );
}

function measureFilled({ scores, optional, use, options, own, missing }: FilledArguments, takes: boolean): Measures {
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    missing: Math.min(MAX_COUNT, scores.filter((score) => score === 0).length),
    filled: scores.length === 0 ? (takes && optional === 0 ? NOTHING_TAKEN : NO_ARGUMENTS) : sum / scores.length,
    optional: Math.min(MAX_COUNT, optional),
    own: missing.length > 0 || use.unused > 0 ? 0 : Math.min(MAX_OWN, own) / MAX_OWN,
    used: use.used + use.unused === 0 ? 0 : use.used / (use.used + use.unused),
    unused: Math.min(MAX_COUNT, use.unused),
    options: Math.min(MAX_COUNT, options),
  };
}

const TELLING: ReadonlySet<ActionKind> = new Set(['read', 'calculate', 'play', 'send']);
/** 1 if the message commands something else than the tool does: "order a lamp" and `set_lamp`. */
function clashes(text: string, document: ToolDocument): number {
  const { name, description } = document;
  const [first = ''] = splitWords(stripPoliteness(text));
  const asked = actionsOf([first, ...readOrders(text).flatMap((idiom) => idiom.split(' '))]);
  const own = actionsOf([...name, ...description.slice(0, 2)].flatMap((word) => [word, word.replace(/s$/, '')]));
  if (buysElsewhere(first, name)) return 1;
  // "sign me up for the exam" and `exam_result`: a tool that only reads registers nobody.
  if (
    own.size === 0 &&
    effectOf(document) === 'read' &&
    asked.size > 0 &&
    ![...asked].some((kind) => TELLING.has(kind))
  )
    return 1;
  if (asked.size === 0 || own.size === 0) return 0;
  if (asked.has('read') && own.has('calculate')) return 0;
  return [...asked].some((kind) => own.has(kind)) ? 0 : 1;
}

/** "order a new lamp" and `set_light`: a tool that only changes things sells none. */
function buysElsewhere(first: string, name: readonly string[]): boolean {
  const kinds = name.flatMap((word) => actionOf(word) ?? []);
  return actionOf(first) === 'buy' && kinds.length > 0 && kinds.every((kind) => kind === 'change' || kind === 'play');
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

const MAX_WORDS = 40;
const GOOD = 0.45;

/** The message without its values. */
function openText(text: string): string {
  return text
    .replace(/"[^"]*"|`[^`]*`|(?<=^|[\s(:,=])'[^']*'(?=$|[\s.,!?;:)])/g, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+|\S*[\d_/\\]\S*|\b\w[\w-]*\.[a-z]{2,5}\b/g, ' ')
    .replace(/\b[a-z]+[A-Z]\w*/g, ' ')
    .replace(/(?<=[a-z,:] )[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*/g, ' ');
}

/** A word that a tool should know, or the words of an idiom: one of them is enough. */
type Need = readonly string[];

/** The words of a message that speak of the request itself, not of its values. */
function needWords(text: string): Need[] {
  const open = wordsOf(openText(text));
  const idioms = readIdioms(text)
    .map(splitWords)
    .filter((words) => !words.some((word) => open.includes(word)));
  const needs = [...open.map((word) => [word]), ...idioms];
  // Where only names are left, they are the only evidence for a tool: "find me a Psychiatrist in Napa".
  return needs.length > 0 ? needs : wordsOf(text).map((word) => [word]);
}

/** False if the message has nothing but values and chatter: "what's in config.yaml?". */
function hasOpenWords(text: string): boolean {
  return wordsOf(openText(text)).length > 0;
}

function wordsOf(text: string): string[] {
  const words = splitWords(text).filter(
    (word) => isContentWord(word) && word.length > 2 && !CHATTER.has(word) && !/^\d/.test(word),
  );
  return [...new Set(words)].slice(0, MAX_WORDS);
}

const CHATTER = new Set(
  'hello hey hi please thanks thank could can would should will just really like looking want wanted need needed help let know tell give show get find make sure also using use going good great nice some something anything thing things way now right today tomorrow tonight yesterday week weekend month year day time one two three four five six seven eight nine ten been have has had was were did does doing done very much many more most new see me my you your'.split(
    ' ',
  ),
);

/**
 * How much of a message a tool accounts for: the share of its words that are like a word of the tool, the share that are
 * the tool's own, and how well it names the thing of the tool's name.
 */
function coverageOf(need: readonly Need[], document: ToolDocument, vectors: WordVectors) {
  const own = new Set([...document.name, ...document.description].filter(isContentWord).map(stem));
  const args = new Set([...document.arguments, ...document.values].filter(isContentWord).map(stem));
  const words = [...document.strengths.keys()];
  const likenessOf = (word: string) =>
    own.has(stem(word)) || args.has(stem(word))
      ? 1
      : Math.max(0, ...words.map((other) => vectors.similarity(other, word)));
  const best = need.map((one) => Math.max(0, ...one.map(likenessOf)));
  const same = need.filter((one) => one.some((word) => own.has(stem(word)))).length;
  const count = Math.max(1, need.length);
  return {
    alike: best.reduce((sum, value) => sum + (value >= GOOD ? value : 0), 0) / count,
    same: same / count,
    object: objectMatch(need.flat(), document, vectors),
  };
}

function objectMatch(need: readonly string[], { name, description }: ToolDocument, vectors: WordVectors): number {
  const objects = name.filter((word) => word.length > 2 && isContentWord(word) && actionOf(word) === undefined);
  const words =
    objects.length > 0
      ? objects
      : description.slice(0, 6).filter((word) => isContentWord(word) && actionOf(word) === undefined);
  const scores = words.map((word) =>
    Math.max(0, ...need.map((other) => (stem(other) === stem(word) ? 1 : vectors.similarity(word, other)))),
  );
  return Math.max(0, ...scores);
}
