import { isObject, type JsonObject } from '../../../schema/json.ts';
import { argumentsOf, splitWords, type ToolArgument } from '../tool-document.ts';

type TextKind = 'email' | 'url' | 'path' | 'host' | 'id' | 'uuid' | 'query' | 'text' | 'place' | 'currency';
type TimeKind = 'date' | 'time' | 'moment';
/** The sort of value that an argument takes, judged by its schema, its name and its description. */
export type ArgumentKind = 'option' | 'flag' | 'number' | 'list' | 'object' | TextKind | TimeKind;

/** An argument that takes a single value; an argument inside an object has a longer path. */
export interface ArgumentProfile {
  argument: ToolArgument;
  path: readonly string[];
  isRequired: boolean;
  kind: ArgumentKind;
  /** The words of its name. */
  words: string[];
  /** The words by which a message may name it: those of its name without the general ones. */
  labels: string[];
  /** Its description with the name in front, in lower case. */
  meaning: string;
}

const GENERAL =
  /^(?:name|id|value|number|num|of|the|a|an|is|has|have|should|be|type|string|text|str|param|new|old|target|specific|by|for|in|to|from|on|at|and|or|include|includes|enable|enabled|use|get|show|allow|allowed|with|no|format|list|ids|names|values)$/;
const MAX_DEPTH = 4;

/** All single arguments of a schema. `about` are words of the tool's name: the things that its arguments are of. */
export function profileArguments(schema: JsonObject, about: readonly string[] = []): ArgumentProfile[] {
  const leaves = collect(schema, [], true);
  return leaves.map((leaf) => {
    const words = splitWords(leaf.argument.name);
    const own = words.filter((word) => !GENERAL.test(word));
    const labels = own.length > 0 ? own : words.some((word) => NAMELESS.test(word)) ? [...about] : words;
    const meaning = `${words.join(' ')}. ${String(leaf.argument.schema.description ?? '')}`.toLowerCase();
    const kind = kindOf(leaf.argument);
    // `convert_currency` with `source` and `target`: the tool's name says what they are.
    const isMoney = kind === 'text' && about.includes('currency') && words.every((word) => DIRECTION.test(word));
    return { ...leaf, kind: isMoney ? 'currency' : kind, words, labels, meaning };
  });
}

const DIRECTION = /^(?:from|to|source|target|base|into|origin|destination)$/;
const NAMELESS = /^(?:name|id|ids|uuid|value|content|title|text|type)$/;

type Leaf = Pick<ArgumentProfile, 'argument' | 'path' | 'isRequired'>;

function collect(schema: JsonObject, path: readonly string[], isNeeded: boolean): Leaf[] {
  return argumentsOf(schema).flatMap((argument) => {
    const here = [...path, argument.name];
    const isRequired = isNeeded && argument.isRequired;
    const isNested = kindOf(argument) === 'object' && isObject(argument.schema.properties) && here.length < MAX_DEPTH;
    return isNested ? collect(argument.schema, here, isRequired) : [{ argument, path: here, isRequired }];
  });
}

const DATE_WORD = /^(?:date|day|birthday|deadline|due|checkin|checkout|dob)$/;
const PLACE_WORD =
  /^(?:location|loc|city|place|where|destination|origin|town|area|venue|departure|arrival|region|state)$/;

export function kindOf(argument: ToolArgument): ArgumentKind {
  const { schema } = argument;
  const type = String(schema.type ?? 'string');
  if (schema.enum !== undefined && !/array|list/.test(type)) return 'option';
  if (/bool/.test(type)) return 'flag';
  if (/int|number|float|double/.test(type)) return 'number';
  if (/array|list|tuple/.test(type)) return 'list';
  if (/object|dict/.test(type)) return 'object';
  return textKindOf(argument);
}

const FORMATS: Readonly<Record<string, ArgumentKind>> = {
  ...{ uuid: 'uuid', email: 'email', date: 'date', time: 'time', 'date-time': 'moment', uri: 'url' },
};
const CODE =
  /^(?:sha|hash|id|ids|uuid|code|key|token|number|no|sku|serial|isbn|version|zip|zipcode|ticker|symbol|password|username|phone|cik|pin|digits|barcode|plate|postcode|postal|tracking|iban|vin|imei)$/;
export const WHOLE = /\bthe task, whole\b/;
const QUERY = /^(?:query|question|prompt|request|utterance|search|q|input|instruction|keyword|keywords|term|words)$/;

/** The first rule that holds: addresses, times, places, codes and searches, by the name or by the description. */
function textKindOf({ name, schema }: ToolArgument): ArgumentKind {
  const words = splitWords(name);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const description = String(schema.description ?? '').toLowerCase();
  const says = (pattern: RegExp) => pattern.test(description);
  const format = FORMATS[String(schema.format ?? '')];
  if (format) return format;
  if (WHOLE.test(description)) return 'query';
  if (has(/^e?mails?$/) || says(/^(?:\w+ ){0,3}e-?mail address/)) return 'email';
  if (has(/^recipients?$/) && !says(/\b(?:who|name|person)\b/)) return 'email';
  if (has(/^(?:url|uri|link|website|webpage|endpoint)$/)) return 'url';
  const isPath =
    has(/^(?:path|file|filename|directory|dir|folder|filepath)$/) || says(/^[^.;,]*\b(?:path|file|folder|directory)\b/);
  if (isPath && !has(/^(?:content|text|type|format|name|encoding|body)$/)) return 'path';
  if (has(/^(?:host|hostname|domain|server|ip)$/) || says(/\b(?:hostname|ip address|main domain)\b/)) return 'host';
  if (says(/\btoken\b|server-generated|cursor/) && !has(DATE_WORD)) return 'id';
  const time = timeKindOf(words, description);
  if (time) return time;
  if (has(/^currency$/) || says(/\biso 4217\b|\bcurrency code\b/)) return 'currency';
  if (!has(/^(?:country|lang(?:uage)?)$/) && (has(PLACE_WORD) || says(/'?city, (?:state|country)/))) return 'place';
  if (says(/\bdigits\b/) || has(CODE)) return 'id';
  return has(QUERY) ? 'query' : 'text';
}

function timeKindOf(words: readonly string[], description: string): TimeKind | undefined {
  if (/yyyy-mm-dd.?t?hh:mm|iso ?-?8601|timestamp|date and time/.test(description)) return 'moment';
  if (/\byyyy-mm\b(?!-)/.test(description)) return 'date';
  if (words.includes('format')) return undefined;
  if (/\b(?:yyyy|dd)[-/.]mm|mm[-/.]dd|\bdate\b.*\bformat/.test(description)) return 'date';
  if (/\bhh:mm\b/.test(description)) return 'time';
  if (words.includes('timezone') || words.includes('zone')) return undefined;
  if (words.some((word) => DATE_WORD.test(word))) return words.includes('time') ? 'moment' : 'date';
  if (words.includes('when') || words.includes('datetime')) return 'moment';
  return words.includes('time') ? 'time' : undefined;
}
