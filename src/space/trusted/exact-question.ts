import type { SQLInputValue } from 'node:sqlite';
import type { Parameter, TrustedQuestion } from '../load/space-file.ts';
import { readTokens, type Token } from '../read/words/tokens.ts';

/** A trusted question that is worded like the user's, with its parameters. */
export interface ExactMatch {
  question: TrustedQuestion;
  values: Record<string, SQLInputValue>;
}

/** `table.column` → its values, for parameters that name one. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

const SKIPPED: ReadonlySet<string> = new Set('the our a an please me us all of'.split(' '));
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };

/**
 * Finds the trusted question with the user's own wording. Only case, punctuation, articles and plurals may differ, and
 * its parameters may have other values: any other wording is another question.
 */
export function findExact(
  text: string,
  questions: readonly TrustedQuestion[],
  known: KnownValues,
): ExactMatch | undefined {
  const words = toWords(text);
  for (const question of questions) {
    for (const wording of [question.question, ...question.examples]) {
      const found = matchWording(words, splitWording(wording), { question, known });
      if (found) return { question, values: withDefaults(question, found) };
    }
  }
  return undefined;
}

function toWords(text: string): Token[] {
  return readTokens(text).filter(({ word }) => !SKIPPED.has(word));
}

type Piece = { lemma: string } | { slot: string };

function splitWording(wording: string): Piece[] {
  return wording.split(/(\{\w+\})/).flatMap((part): Piece[] => {
    const slot = /^\{(\w+)\}$/.exec(part)?.[1];
    return slot === undefined ? toWords(part).map(({ lemma }) => ({ lemma })) : [{ slot }];
  });
}

interface Matching {
  question: TrustedQuestion;
  known: KnownValues;
}

function matchWording(
  words: readonly Token[],
  pieces: readonly Piece[],
  matching: Matching,
): Record<string, SQLInputValue> | undefined {
  const [piece, ...rest] = pieces;
  if (!piece) return words.length === 0 ? {} : undefined;
  if ('lemma' in piece)
    return words[0]?.lemma === piece.lemma ? matchWording(words.slice(1), rest, matching) : undefined;
  const parameter = matching.question.parameters[piece.slot];
  if (!parameter) return undefined;
  for (let length = Math.min(6, words.length); length > 0; length--) {
    const value = readSlot(words.slice(0, length), parameter, matching.known);
    const others = value === undefined ? undefined : matchWording(words.slice(length), rest, matching);
    if (value !== undefined && others) return { [piece.slot]: value, ...others };
  }
  return undefined;
}

function readSlot(words: readonly Token[], parameter: Parameter, known: KnownValues): SQLInputValue | undefined {
  const [first, unit] = words;
  switch (parameter.type) {
    case 'count':
      return words.length === 1 && first?.number !== undefined ? Math.min(first.number, parameter.max) : undefined;
    case 'days': {
      if (first?.number === undefined) return undefined;
      return words.length === 1
        ? first.number
        : words.length === 2
          ? first.number * (DAYS[unit?.lemma ?? ''] ?? Number.NaN) || undefined
          : undefined;
    }
    case 'value': {
      const text = words.map(({ lemma }) => lemma).join(' ');
      const isSame = (other: string) =>
        toWords(other)
          .map(({ lemma }) => lemma)
          .join(' ') === text;
      const values = known.get(parameter.column) ?? [];
      const found = values.find((value) => isSame(value) || (parameter.synonyms[value] ?? []).some(isSame));
      if (found === undefined) return undefined;
      return parameter.many ? JSON.stringify([found]) : found;
    }
  }
}

function withDefaults(
  { parameters }: TrustedQuestion,
  found: Record<string, SQLInputValue>,
): Record<string, SQLInputValue> {
  const defaults = Object.entries(parameters).map(([name, parameter]) => [name, parameter.default ?? null] as const);
  return { ...Object.fromEntries(defaults), ...found };
}

/** A required parameter that the wording does not name makes the question another one. */
export function lacksRequired({ question, values }: ExactMatch): boolean {
  return Object.entries(question.parameters).some(
    ([name, parameter]) => parameter.type === 'value' && parameter.required && values[name] === null,
  );
}
