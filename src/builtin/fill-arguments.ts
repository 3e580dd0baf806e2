import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { readTextArgument } from './read-text-argument.ts';
import { argumentsOf, enumOf, splitWords, type ToolArgument } from './tool-document.ts';
import { type Found, readSupply, type Supply, takeFirst } from './value-supply.ts';
import { extractWhen } from './when.ts';
import type { Zone } from './zoned-time.ts';

export interface FilledArguments {
  arguments: JsonObject;
  missing: ToolArgument[];
}

export interface FillContext {
  zone: Zone;
  /** Ids that a tool has told of in this conversation; no id is ever made up. */
  ids: readonly string[];
}

/** Fills a tool's arguments from a message by what their schemas ask for. Optional ones only where the message names them. */
export function fillArguments(schema: JsonObject, text: string, context: FillContext): FilledArguments {
  return fillObject(schema, readSupply(text), context);
}

/** Values that can only be one thing are given out first, free text last. */
const ORDER = ['enum', 'boolean', 'uuid', 'time', 'number', 'object', 'array', 'text'] as const;
type Kind = (typeof ORDER)[number];

function fillObject(schema: JsonObject, supply: Supply, context: FillContext): FilledArguments {
  const all = argumentsOf(schema);
  const filled = new Map<string, Json>();
  const ordered = all.toSorted(
    (a, b) => ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)) || Number(b.isRequired) - Number(a.isRequired),
  );
  for (const argument of ordered) {
    const value = readArgument(argument, supply, { context, all });
    if (value !== undefined) filled.set(argument.name, value);
  }
  const entries = all.flatMap(({ name }) => (filled.has(name) ? [[name, filled.get(name)] as const] : []));
  return {
    // Every value was made by readArgument, which returns JSON.
    arguments: Object.fromEntries(entries) as JsonObject,
    missing: all.filter((argument) => argument.isRequired && !filled.has(argument.name)),
  };
}

export function kindOf({ name, schema }: ToolArgument): Kind {
  const type = String(schema.type ?? 'string');
  if (schema.enum !== undefined) return 'enum';
  if (/bool/.test(type)) return 'boolean';
  if (/int|number|float/.test(type)) return 'number';
  if (/array|list|tuple/.test(type)) return 'array';
  if (/object|dict/.test(type)) return 'object';
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date' || schema.format === 'date-time' || schema.format === 'time') return 'time';
  return splitWords(name).some((word) => /^(?:date|time|day|deadline|when|due)$/.test(word)) ? 'time' : 'text';
}

interface ReadOptions {
  context: FillContext;
  all: readonly ToolArgument[];
}

function readArgument(argument: ToolArgument, supply: Supply, options: ReadOptions): Json | undefined {
  switch (kindOf(argument)) {
    case 'enum':
      return readOption(argument, supply);
    case 'boolean':
      return readBoolean(argument, supply);
    case 'uuid':
      return readId(supply, options.context);
    case 'time':
      return readTime(argument, supply, options.context);
    case 'number':
      return readNumberArgument(argument, supply);
    case 'object':
      return readNested(argument, supply, options.context);
    case 'array':
      return readList(argument, supply);
    default:
      return readTextArgument(argument, supply, options.all);
  }
}

/** A value that the message names: the one behind the argument's own word ("to EUR"), otherwise the first. */
function readOption({ name, schema }: ToolArgument, supply: Supply): Json | undefined {
  const found = enumOf(schema)
    .flatMap((option) => findOption(option, supply))
    .sort((a, b) => b.length - a.length || a.at - b.at);
  const words = splitWords(name).join('|');
  const isLinked = ({ at }: { at: number }) =>
    new RegExp(String.raw`\b(?:${words})\s+(?:is\s+|the\s+|an?\s+)?$`, 'i').test(supply.text.slice(0, at));
  const longest = found.filter((part) => part.length === found[0]?.length).sort((a, b) => a.at - b.at);
  return takeFirst(supply, found, isLinked) ?? takeFirst(supply, longest) ?? takeFirst(supply, found);
}

function findOption(option: Json, { text }: Supply): Found<Json>[] {
  const words = String(option)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/[_ -]+/g, '[ _-]');
  if (words.trim() === '') return [];
  const matches = text.matchAll(new RegExp(String.raw`(?<!\w)${words}(?:s|es)?(?!\w)`, 'gi'));
  return [...matches].map((match) => ({ value: option, at: match.index, length: match[0].length }));
}

/** True or false where the message names the argument. */
function readBoolean({ name }: ToolArgument, { text }: Supply): boolean | undefined {
  const words = splitWords(name).filter((word) => !/^(?:is|has|include|enable|use|get|show)$/.test(word));
  const match = words.length === 0 ? null : new RegExp(String.raw`(.{0,25})\b${words.join('[ _-]?')}`, 'i').exec(text);
  return match ? !/\b(?:no|not|without|don't|exclude|disable|skip)\b/i.test(String(match[1])) : undefined;
}

function readId({ text }: Supply, { ids }: FillContext): string | undefined {
  const given = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i.exec(text)?.[0];
  return given ?? (ids.length === 1 ? ids[0] : undefined);
}

function readTime({ schema }: ToolArgument, supply: Supply, { zone }: FillContext): string | undefined {
  const iso = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?/.exec(supply.text);
  if (iso && supply.isFree(iso.index, iso[0].length)) {
    supply.take(iso.index, iso[0].length);
    return iso[0];
  }
  const when = extractWhen(supply.text, zone);
  if (!when) return undefined;
  const at = supply.text.indexOf(when.text);
  if (at >= 0 && !supply.isFree(at, when.text.length)) return undefined;
  if (at >= 0) supply.take(at, when.text.length);
  return schema.format === 'date' ? when.due.slice(0, 10) : when.due;
}

function readNumberArgument(argument: ToolArgument, supply: Supply): number | undefined {
  const { name, schema, isRequired } = argument;
  const isWhole = /int/.test(String(schema.type));
  const free = supply.numbers.filter(
    (found) => supply.isFree(found.at, found.length) && (!isWhole || Number.isInteger(found.value)),
  );
  const near = nearestTo(splitWords(name), supply.text, free);
  const counted = isCount(argument) ? free.find((found) => standsBeforeTaken(found, supply)) : undefined;
  const chosen = near ?? counted ?? (isRequired ? free[0] : undefined);
  if (chosen) supply.take(chosen.at, chosen.length);
  return chosen?.value;
}

/** Says how many there are of what another argument names. */
function isCount({ name, schema }: ToolArgument): boolean {
  return /\b(?:amount|quantity|count|how many|number of)\b/i.test(
    `${splitWords(name).join(' ')} ${schema.description}`,
  );
}

/** "3 coffees", "3 x coffee", "three cups of coffee", where the coffee is the value of another argument. */
function standsBeforeTaken({ at, length }: Found<number>, supply: Supply): boolean {
  const [gap = ''] = /^(?:\s*x)?\s+(?:\w+\s+of\s+)?/i.exec(supply.text.slice(at + length)) ?? [];
  return gap !== '' && !supply.isFree(at + length + gap.length, 1);
}

const MAX_DISTANCE = 20;

/** "radius of 5", "5 nights": the number that stands closest to one of the words. */
function nearestTo(
  words: readonly string[],
  text: string,
  numbers: readonly Found<number>[],
): Found<number> | undefined {
  const stems = words.filter((word) => word.length > 2).map((word) => word.replace(/s$/, ''));
  if (stems.length === 0) return undefined;
  const places = [...text.matchAll(new RegExp(String.raw`\b(?:${stems.join('|')})\w*`, 'gi'))];
  const distanceOf = ({ at, length }: Found<number>) =>
    Math.min(
      ...places.map((place) => (at > place.index ? at - place.index - place[0].length : place.index - at - length)),
    );
  const [closest] = numbers.toSorted((a, b) => distanceOf(a) - distanceOf(b));
  return closest && distanceOf(closest) <= MAX_DISTANCE ? closest : undefined;
}

function readNested({ schema, isRequired }: ToolArgument, supply: Supply, context: FillContext): Json | undefined {
  if (!isObject(schema.properties)) return undefined;
  const { arguments: values } = fillObject(schema, supply, context);
  return Object.keys(values).length > 0 || isRequired ? values : undefined;
}

function readList({ schema, isRequired }: ToolArgument, supply: Supply): Json[] | undefined {
  const items = isObject(schema.items) ? schema.items : {};
  const options = enumOf(schema).filter((option) =>
    new RegExp(String.raw`\b${String(option)}\b`, 'i').test(supply.text),
  );
  if (options.length > 0) return options;
  if (!isRequired) return undefined;
  if (/int|number|float/.test(String(items.type))) return takeAll(supply, supply.numbers);
  return takeAll(supply, supply.quoted) ?? takeAll(supply, supply.names) ?? splitEnumeration(supply.text);
}

function takeAll<T extends Json>(supply: Supply, found: Supply['quoted'] | Supply['numbers']): T[] | undefined {
  const free = found.filter((part) => supply.isFree(part.at, part.length));
  for (const part of free) supply.take(part.at, part.length);
  // The caller names the list that it hands over.
  return free.length > 0 ? (free.map((part) => part.value) as T[]) : undefined;
}

function splitEnumeration(text: string): string[] | undefined {
  const listed = /(?::|\bof|\bfor|\bwith|\bon)\s+([^.?!]+)/i.exec(text)?.[1];
  const parts = listed?.split(/,\s*(?:and\s+)?|\s+and\s+/).map((part) => part.trim());
  return parts?.filter((part) => part !== '');
}
