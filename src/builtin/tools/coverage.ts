import type { WordVectors } from '../../language/word-vectors.ts';
import { stem } from '../../language/words.ts';
import { actionOf } from './actions.ts';
import { readIdioms } from './tables.ts';
import { isContentWord, splitWords, type ToolDocument } from './tool-document.ts';

const MAX_WORDS = 40;
const GOOD = 0.45;

/** The message without its values. */
export function openText(text: string): string {
  return text
    .replace(/"[^"]*"|`[^`]*`|(?<=^|[\s(:,=])'[^']*'(?=$|[\s.,!?;:)])/g, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+|\S*[\d_/\\]\S*|\b\w[\w-]*\.[a-z]{2,5}\b/g, ' ')
    .replace(/\b[a-z]+[A-Z]\w*/g, ' ')
    .replace(/(?<=[a-z,:] )[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*/g, ' ');
}

/** A word that a tool should know, or the words of an idiom: one of them is enough. */
export type Need = readonly string[];

/** The words of a message that speak of the request itself, not of its values. */
export function needWords(text: string): Need[] {
  const open = wordsOf(openText(text));
  const idioms = readIdioms(text)
    .map(splitWords)
    .filter((words) => !words.some((word) => open.includes(word)));
  const needs = [...open.map((word) => [word]), ...idioms];
  // Where only names are left, they are the only evidence for a tool: "find me a Psychiatrist in Napa".
  return needs.length > 0 ? needs : wordsOf(text).map((word) => [word]);
}

/** False if the message has nothing but values and chatter: "what's in config.yaml?". */
export function hasOpenWords(text: string): boolean {
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
export function coverageOf(need: readonly Need[], document: ToolDocument, vectors: WordVectors) {
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
