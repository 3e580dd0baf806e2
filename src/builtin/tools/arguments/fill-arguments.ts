import { stripPoliteness } from '../../../language/clean-text.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { isObject } from '../../../schema/json.ts';
import { argumentsOf, enumOf, type ToolArgument } from '../tool-document.ts';
import { type ArgumentKind, type ArgumentProfile, profileArguments } from './argument-profile.ts';
import { askedThing } from './asked-thing.ts';
import { type Candidate, type CandidateReader, type FillContext, SURE } from './candidate.ts';
import { countRest, countSettled, type Settled, takeCount } from './count-arguments.ts';
import { escapePattern } from './near-label.ts';
import { readCountries, readCurrencies, readLanguages } from './read-codes.ts';
import { readFlag } from './read-flag.ts';
import { readLists } from './read-list.ts';
import { readMoments } from './read-moment.ts';
import { readNumbers } from './read-number.ts';
import { readOptions } from './read-options.ts';
import { readPlaces } from './read-places.ts';
import { readQuery } from './read-query.ts';
import { readRest } from './read-rest.ts';
import { readTexts } from './read-text-argument.ts';
import { takenParts } from './taken-parts.ts';
import { countValues, type ValueUse } from './value-use.ts';
import { type MessageValues, overlaps, readMessageValues } from './values/message-values.ts';

export interface FilledArguments {
  arguments: JsonObject;
  missing: ToolArgument[];
  /** True if a value was taken only because no other was left for its argument. */
  isGuess: boolean;
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
  /** Numbers that are written as their argument's type asks, whole or with decimals, less those that are not. */
  exact: number;
}

const LEAST_OPTIONAL = 0.65;
const LEAST_EITHER = 0.4;
const LEAST_REQUIRED = 0.3;
const CLEARLY_TAKEN = 0.45;

const READERS: Readonly<Record<ArgumentKind, CandidateReader>> = {
  option: readOptions,
  flag: readFlag,
  number: readNumbers,
  list: readLists,
  object: () => [],
  uuid: readUuid,
  date: readMoments,
  time: readMoments,
  moment: readMoments,
  place: readPlaces,
  country: readCountries,
  language: readLanguages,
  currency: readCurrencies,
  email: readTexts,
  url: readTexts,
  path: readTexts,
  host: readTexts,
  id: readTexts,
  query: readQuery,
  text: readTexts,
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
  trimQueries(settled, values);
  const hasRest = fillRest(profiles, values, { settled, about: context.about ?? [] });
  countRest(profiles, values, settled);
  const missing = profiles.filter((profile) => profile.isRequired && !settled.has(profile));
  return {
    arguments: build(schema, settled),
    missing: topLevel(schema, missing),
    isGuess: [...settled.values()].some(({ score }) => score < SURE.left + 0.05),
    scores: profiles.filter((profile) => profile.isRequired).map((profile) => settled.get(profile)?.score ?? 0),
    sure,
    own: [...settled].filter(
      ([{ isRequired }, { length, score }]) => isRequired && length > 0 && score >= CLEARLY_TAKEN,
    ).length,
    hasRest,
    optional: [...settled.keys()].filter((profile) => !profile.isRequired).length,
    exact: countExact(settled),
    use: countValues(values, settled.values(), context.about),
    taken: [...settled.values()].flatMap(({ at, length, score }) =>
      length > 0 && score >= CLEARLY_TAKEN ? [values.text.slice(at, at + length)] : [],
    ),
    options: [...settled].filter(([{ kind }, { score }]) => kind === 'option' && score >= SURE.described).length,
  };
}

/** "8" suits an integer better than a number with decimals. */
function countExact(settled: Settled): number {
  return [...settled].reduce((sum, [{ kind, argument }, { value }]) => {
    if (kind !== 'number' || typeof value !== 'number') return sum;
    const isWhole = Number.isInteger(value);
    return sum + (/int/.test(String(argument.schema.type)) === isWhole ? 1 : -1);
  }, 0);
}

function settle(profiles: readonly ArgumentProfile[], values: MessageValues, context: FillContext): Settled {
  // A tool that requires nothing but takes a name or an id needs one of them.
  const texts = profiles.filter(({ kind }) => kind === 'id' || kind === 'text').length;
  const isEither = texts > 0 && texts <= 2 && profiles.every((profile) => !profile.isRequired);
  const pairs = profiles.flatMap((profile, index) => {
    const least = profile.isRequired
      ? LEAST_REQUIRED
      : isEither && (profile.kind === 'id' || profile.kind === 'text')
        ? LEAST_EITHER
        : LEAST_OPTIONAL;
    const found = READERS[profile.kind](profile, values, { context, all: profiles });
    return found.filter(({ score }) => score >= least).map((candidate) => ({ profile, index, candidate }));
  });
  pairs.sort((a, b) => b.candidate.score - a.candidate.score || a.index - b.index || a.candidate.at - b.candidate.at);
  const settled: Settled = new Map();
  for (const { profile, candidate } of pairs) {
    const isTaken =
      candidate.length > 0 && [...settled.values()].some((other) => other.length > 0 && overlaps(other, candidate));
    if (!settled.has(profile) && !isTaken) settled.set(profile, candidate);
  }
  return settled;
}

const CONDITION =
  /(?:\s*\b(?:for|at|with))?\s*\b(?:under|over|below|above|up to|less than|more than|at least|at most|max(?:imum)?|for|in|from|with|at|by|within|since|until|till|before|after|on)\s+(?:the\s+|size\s+)?$/i;

/** "boots under 90 euros in size 39": the conditions that other arguments take are no part of the search. */
function trimQueries(settled: Settled, values: MessageValues): void {
  for (const [profile, candidate] of settled) {
    if (profile.kind !== 'query' || candidate.length > 0 || candidate.value === values.text.trim()) continue;
    const others = new Map(
      [...settled].filter(
        ([other]) => other !== profile && (other.kind !== 'option' || /\b(?:sort|order)/.test(other.meaning)),
      ),
    );
    const value = takenParts(others, values).reduce((query, { at, length }) => {
      const lead = CONDITION.exec(values.text.slice(0, at))?.[0] ?? '';
      const isOrder = /^\s*first\b/i.test(values.text.slice(at + length));
      if (isOrder)
        return query.replace(
          new RegExp(String.raw`[,\s]*${escapePattern(values.text.slice(at, at + length))}\s*first`, 'i'),
          '',
        );
      return lead === '' ? query : query.replace(values.text.slice(at - lead.length, at + length), '');
    }, String(candidate.value));
    if (value.trim() !== '') settled.set(profile, { ...candidate, value: value.trim() });
  }
}

/** Required texts without a value of their own take the rest of the message, defaults come from the schema. */
function fillRest(
  profiles: readonly ArgumentProfile[],
  values: MessageValues,
  { settled, about }: { settled: Settled; about: readonly string[] },
): boolean {
  let hasRest = false;
  const open = profiles.filter((profile) => profile.isRequired && !settled.has(profile));
  for (const profile of open) {
    const given = profile.argument.schema.default ?? describedDefault(profile);
    const rest =
      profile.kind === 'text' || profile.kind === 'query'
        ? readRest(profile, {
            text: values.text,
            taken: takenParts(settled, values),
            open: texts(open, settled),
            about,
          })
        : undefined;
    if (given !== undefined && given !== null)
      settled.set(profile, { value: given, at: 0, length: 0, score: SURE.likely });
    else if (rest !== undefined) {
      const isAsked = askedThing(stripPoliteness(values.text)) === rest;
      const at = isAsked ? values.text.indexOf(rest) : 0;
      settled.set(profile, {
        value: takeCount(rest, profiles, settled),
        at,
        length: isAsked ? rest.length : 0,
        score: isAsked || /^[\w' ]{2,60}:\s/.test(values.text) ? SURE.likely : SURE.left,
      });
      hasRest ||= !isAsked;
    }
  }
  return hasRest;
}

function texts(open: readonly ArgumentProfile[], settled: Settled): number {
  return open.filter((profile) => !settled.has(profile) && /^(?:text|query|id|place)$/.test(profile.kind)).length;
}

/** "If not specified, use 100": the author's own default, for an argument that must be there. */
function describedDefault({ argument, kind }: ArgumentProfile): Json | undefined {
  const text = String(argument.schema.description ?? '');
  const match =
    /\bif (?:the )?(?:user|not|it is not|none)\b[^.]*?\b(?:specif|provid|giv|sa)\w*[^.]*?\b(?:use|is|to|assume)\s+'?([\w.-]+)'?|\bdefaults? (?:to|is|value is)\s+'?([\w.-]*\w)'?/i.exec(
      text,
    );
  const value = match?.[1] ?? match?.[2];
  if (value === undefined) return undefined;
  if (kind === 'number') return Number.isFinite(Number(value)) ? Number(value) : undefined;
  return kind === 'option'
    ? enumOf(argument.schema).find((option) => String(option).toLowerCase() === value.toLowerCase())
    : undefined;
}

function readUuid(
  _: ArgumentProfile,
  { tokens }: MessageValues,
  { context }: Parameters<CandidateReader>[2],
): Candidate[] {
  const given = tokens
    .filter(({ kind }) => kind === 'uuid')
    .map(({ value, at, length }) => ({ value, at, length, score: SURE.shaped }));
  const [only, ...others] = context.ids;
  if (given.length > 0) return given;
  return only !== undefined && others.length === 0 ? [{ value: only, at: 0, length: 0, score: SURE.linked }] : [];
}

/** Puts the values back into the shape of the schema; the order is the schema's. */
function build(schema: JsonObject, settled: Settled): JsonObject {
  const result: JsonObject = {};
  for (const [{ path }, { value }] of [...settled].sort(([a], [b]) => order(schema, a) - order(schema, b)))
    put(result, path, value);
  return result;
}

function order(schema: JsonObject, { path }: ArgumentProfile): number {
  return argumentsOf(schema).findIndex(({ name }) => name === path[0]);
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
  const direct = missing.filter(({ path }) => path.length === 1).map(({ argument }) => argument);
  return [...direct, ...nested];
}
