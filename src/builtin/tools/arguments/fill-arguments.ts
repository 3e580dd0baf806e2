import { stripPoliteness } from '../../../language/clean-text.ts';
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { requestOf } from '../statement.ts';
import { argumentsOf, type ToolArgument } from '../tool-document.ts';
import { type ArgumentKind, type ArgumentProfile, profileArguments } from './argument-profile.ts';
import {
  type Candidate,
  type CandidateReader,
  type FillContext,
  type MessageValues,
  mergeSpans,
  overlaps,
  type Span,
  SURE,
} from './candidate.ts';
import { readMessageValues } from './message-values.ts';
import { readFlag } from './read-flag.ts';
import { readLists } from './read-list.ts';
import { readMoments } from './read-moment.ts';
import { isCount, readNumbers } from './read-number.ts';
import { readOptions } from './read-option.ts';
import { readCurrencies, readPlaces } from './read-place.ts';
import { askedThing, readQuery, readRest } from './read-rest.ts';
import { readTexts } from './read-text.ts';

export interface FilledArguments {
  arguments: JsonObject;
  missing: ToolArgument[];
  /** The scores of the required arguments, 0 for a missing one, and the number of optional ones that are filled. */
  scores: number[];
  optional: number;
  /** The number of values that were clearly said. */
  sure: number;
  /** The number of required arguments with a value of their own in the message, not its rest or the whole of it. */
  own: number;
  /** True if a free text took the rest of the message. */
  hasRest: boolean;
  /** The values of the message that the arguments take, and those that are left over. */
  use: ValueUse;
  /** The parts of the message that are clearly values. */
  taken: string[];
  /** The number of options that the message names. */
  options: number;
}

const LEAST_OPTIONAL = 0.65;
const LEAST_EITHER = 0.4;
const LEAST_REQUIRED = 0.3;
const CLEARLY_TAKEN = 0.45;

const READERS: Readonly<Record<ArgumentKind, CandidateReader>> = {
  ...{ option: readOptions, flag: readFlag, number: readNumbers, list: readLists, object: () => [], uuid: readUuid },
  ...{ date: readMoments, time: readMoments, moment: readMoments },
  ...{ place: readPlaces, currency: readCurrencies, query: readQuery },
  ...{ email: readTexts, url: readTexts, path: readTexts, host: readTexts, id: readTexts, text: readTexts },
};

/**
 * Fills a tool's arguments from a message. Every argument proposes values with a score; the best pair of argument and
 * value is settled first, and a part of the message is used once. Optional arguments need a value that is clearly theirs.
 */
export function fillArguments(schema: JsonObject, text: string, context: FillContext): FilledArguments {
  return fillFrom(schema, readMessageValues(text, context.zone), context);
}

/** The same for a message whose values were read before. */
export function fillFrom(schema: JsonObject, values: MessageValues, context: FillContext): FilledArguments {
  const profiles = profileArguments(schema, context.about);
  const settled = settle(profiles, values, context);
  countSettled(profiles, values, settled);
  const sure = [...settled.values()].filter(({ score }) => score >= SURE.described).length;
  const hasRest = fillRest(profiles, values, { settled, about: context.about ?? [] });
  const clear = [...settled].filter(([, { length, score }]) => length > 0 && score >= CLEARLY_TAKEN);
  const required = profiles.filter((profile) => profile.isRequired);
  return {
    arguments: build(schema, settled),
    missing: topLevel(
      schema,
      required.filter((profile) => !settled.has(profile)),
    ),
    scores: required.map((profile) => settled.get(profile)?.score ?? 0),
    sure,
    own: clear.filter(([{ isRequired }]) => isRequired).length,
    hasRest,
    optional: [...settled.keys()].filter((profile) => !profile.isRequired).length,
    use: countValues(values, settled, context.about),
    taken: clear.map(([, { at, length }]) => values.text.slice(at, at + length)),
    options: [...settled].filter(([{ kind }, { score }]) => kind === 'option' && score >= SURE.described).length,
  };
}

function settle(profiles: readonly ArgumentProfile[], values: MessageValues, context: FillContext): Settled {
  // A tool that requires nothing but takes a name or an id needs one of them.
  const isText = ({ kind }: ArgumentProfile) => kind === 'id' || kind === 'text';
  const texts = profiles.filter(isText).length;
  const isEither = texts > 0 && texts <= 2 && profiles.every((profile) => !profile.isRequired);
  const pairs = profiles.flatMap((profile, index) => {
    const optional = isEither && isText(profile) ? LEAST_EITHER : LEAST_OPTIONAL;
    const least = profile.isRequired ? LEAST_REQUIRED : optional;
    const found = READERS[profile.kind](profile, values, { context, all: profiles });
    return found.filter(({ score }) => score >= least).map((candidate) => ({ profile, index, candidate }));
  });
  pairs.sort((a, b) => b.candidate.score - a.candidate.score || a.index - b.index || a.candidate.at - b.candidate.at);
  const settled: Settled = new Map();
  for (const { profile, candidate } of pairs) {
    const isTaken = [...settled.values()].some(
      (other) => candidate.length > 0 && other.length > 0 && overlaps(other, candidate),
    );
    if (!settled.has(profile) && !isTaken) settled.set(profile, candidate);
  }
  return settled;
}

/** "3 coffees", "3 x coffee", "three cups of coffee", "a coffee", where the coffee is the value of another argument. */
function countSettled(profiles: readonly ArgumentProfile[], { numbers, text }: MessageValues, settled: Settled): void {
  for (const profile of profiles.filter((one) => !settled.has(one) && isCount(one))) {
    const quantity = numbers.find(({ at, length }) => {
      const [gap = ''] =
        /^(?:\s*x)?\s+(?:\w+\s+of\s+|of (?:the|those|these)\s+|more\s+|extra\s+)?/i.exec(text.slice(at + length)) ?? [];
      const next = { at: at + length + gap.length, length: 1 };
      return gap !== '' && [...settled.values()].some((other) => other.length > 0 && overlaps(other, next));
    });
    const one = [...settled.values()].find(({ at, length }) => length > 0 && /\ban?\s+$/i.test(text.slice(0, at)));
    if (quantity) settled.set(profile, { ...quantity, score: SURE.linked });
    else if (one && profile.isRequired) settled.set(profile, { value: 1, at: 0, length: 0, score: SURE.likely });
  }
}

/** Required texts without a value of their own take the rest of the message, defaults come from the schema. */
function fillRest(
  profiles: readonly ArgumentProfile[],
  values: MessageValues,
  { settled, about }: { settled: Settled; about: readonly string[] },
): boolean {
  let hasRest = false;
  for (const profile of profiles.filter((one) => one.isRequired && !settled.has(one))) {
    const given = profile.argument.schema.default;
    if (given !== undefined && given !== null) {
      settled.set(profile, { value: given, at: 0, length: 0, score: SURE.likely });
      continue;
    }
    if (profile.kind !== 'text' && profile.kind !== 'query') continue;
    const open = profiles.filter(
      (one) => one.isRequired && !settled.has(one) && /^(?:text|query|id|place)$/.test(one.kind),
    );
    const taken = takenParts(settled, values);
    const rest = readRest(profile, { text: values.text, taken, open: open.length, about });
    if (rest === undefined) continue;
    const isAsked = askedThing(stripPoliteness(values.text)) === rest;
    const isSaid = isAsked || /^[\w' ]{2,60}:\s/.test(values.text);
    const place = isAsked ? { at: values.text.indexOf(rest), length: rest.length } : { at: 0, length: 0 };
    settled.set(profile, { value: rest, ...place, score: isSaid ? SURE.likely : SURE.left });
    hasRest ||= !isAsked;
  }
  return hasRest;
}

/** An id of the message, or the only one that tools have returned. */
function readUuid(...[, { tokens }, { context }]: Parameters<CandidateReader>): ReturnType<CandidateReader> {
  const given = tokens.filter(({ kind }) => kind === 'uuid');
  if (given.length > 0) return given.map(({ value, at, length }) => ({ value, at, length, score: SURE.shaped }));
  const [only, ...others] = context.ids;
  return only !== undefined && others.length === 0 ? [{ value: only, at: 0, length: 0, score: SURE.linked }] : [];
}

/** Puts the values back into the shape of the schema; the order is the schema's. */
function build(schema: JsonObject, settled: Settled): JsonObject {
  const result: JsonObject = {};
  const order = argumentsOf(schema).map(({ name }) => name);
  const sorted = [...settled].sort(([a], [b]) => order.indexOf(a.path[0] ?? '') - order.indexOf(b.path[0] ?? ''));
  for (const [{ path }, { value }] of sorted) put(result, path, value);
  return result;
}

function put(target: JsonObject, [name = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next: JsonObject = isObject(inner) ? inner : {};
  target[name] = next;
  put(next, rest, value);
}

/** The missing argument itself; of an object the part that is missing, since that is what must be asked for. */
function topLevel(schema: JsonObject, missing: readonly ArgumentProfile[]): ToolArgument[] {
  const nested = argumentsOf(schema).filter(
    ({ name, isRequired }) => isRequired && missing.some(({ path }) => path[0] === name && path.length > 1),
  );
  return [...missing.filter(({ path }) => path.length === 1).map(({ argument }) => argument), ...nested];
}

/** The value that each argument has so far. */
type Settled = Map<ArgumentProfile, Candidate>;

/** How many of a message's values a tool's arguments take, and the words of those that are left over. */
interface ValueUse {
  used: number;
  unused: number;
  left: string[];
}

const NOW = /^(?:today|now|tonight|this (?:morning|afternoon|evening))$/;

/** A value counts as used if an argument claims its place, or takes a text that contains it. */
function countValues(values: MessageValues, settled: Settled, about: readonly string[] = []): ValueUse {
  const { text, quoted, tokens, moments, numbers, names, places } = values;
  const taken = [...settled.values()];
  // A tool for today knows "today", and what is said now is meant for now.
  const spans = mergeSpans([...quoted, ...tokens, ...moments, ...numbers, ...names, ...places]).filter((span) => {
    const words = wordsOf(span, text).toLowerCase();
    return !about.includes(words) && !NOW.test(words);
  });
  const left = spans.filter((span) => !taken.some((candidate) => takes(candidate, span, text)));
  return { used: spans.length - left.length, unused: left.length, left: namedLeft(left, text) };
}

/** The words of the values that are worth naming: those of a remark beside the request are no part of it. */
function namedLeft(left: readonly Span[], text: string): string[] {
  const request = left.length === 0 ? '' : requestOf(text);
  return left
    .map((span) => wordsOf(span, text).replace(/[.,;:!?]+$/, ''))
    .filter((words) => request.includes(words) && /\d|\p{L}{3}/u.test(words) && !/^(?:the|one)$/i.test(words));
}

function wordsOf({ at, length }: Span, text: string): string {
  return text.slice(at, at + length);
}

function takes({ value, at, length }: Candidate, span: Span, text: string): boolean {
  return length > 0 ? overlaps({ at, length }, span) : JSON.stringify(value).includes(wordsOf(span, text));
}

/** The parts of a message that arguments have taken: each day and time with all its words. */
function takenParts(settled: Settled, { moments }: MessageValues): Span[] {
  const used = [...settled.values()].filter(({ length }) => length > 0);
  return mergeSpans([...used, ...moments.filter((moment) => used.some((one) => overlaps(one, moment)))]);
}
