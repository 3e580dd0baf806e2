import { aliasesOf } from '../../../language/aliases.ts';
import { isObject, type Json } from '../../../schema/json.ts';
import { enumOf } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, SURE } from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';
import type { Found } from './values/found.ts';
import type { MessageValues } from './values/message-values.ts';

const MAX_GAP = 14;

/** Lists: the options or examples that are named, the values in a row after the argument's word, or an enumeration. */
export const readLists: CandidateReader = (profile, values) => {
  const { schema } = profile.argument;
  const items = isObject(schema.items) ? schema.items : {};
  const options = [...enumOf(schema), ...profile.examples].filter((option) =>
    [String(option), ...aliasesOf(String(option))].some((name) => isNamed(name, values.text)),
  );
  const isOption = enumOf(schema).length > 0;
  if (options.length > 0 && (isOption || isPlainItem(items))) return [whole([...new Set(options)], SURE.linked)];
  if (isOption) return [];
  if (/int|number|float/.test(String(items.type))) return readRow(profile, values, numbersOf(values));
  if (!isPlainItem(items)) return [];
  const rows = [values.quoted, values.tokens, values.names.flatMap(splitName)].flatMap((row) =>
    readRow(profile, values, row),
  );
  const plain = [...readPlainRow(profile, values), ...readChoices(profile, values)];
  return rows.length + plain.length > 0 || !profile.isRequired ? [...rows, ...plain] : readEnumeration(profile, values);
};

/** Names of lists whose items follow "with": what a thing has or comes with. */
const PARTS =
  /^(?:ingredients?|tags?|labels?|toppings?|extras?|options?|keywords?|features?|amenities|items?|accessories|sides|participants|attendees|people|guests|members|names|recipients|with)$/;
const ITEM = String.raw`[\p{L}\d][\p{L}\d'-]*(?:\s(?!(?:and|or|in|on|at|for|to|from|by|under|over|please|with|that|which)\b)[\p{L}\d'-]+){0,2}`;
const ROW = new RegExp(
  String.raw`\b(?:with|using|including|containing|invite|add|extra|pick up|collect|take|buy|bring|pack|need)\s+(?:extra\s+|some\s+|the\s+|an?\s+|my\s+|(?:the\s+)?tags?\s+|only\s+)*(${ITEM}(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)${ITEM})*)`,
  'iu',
);

/** "tag it with sunset, beach and family": plain words in a row. */
function readPlainRow({ words, isRequired }: ArgumentProfile, { text, quoted }: MessageValues): Candidate[] {
  const match = words.some((word) => PARTS.test(word)) && quoted.length === 0 ? ROW.exec(text) : null;
  const row = match?.[1];
  if (!match || row === undefined) return [];
  const value = row
    .split(/,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/)
    .map((part) => part.replace(/^(?:some|the|an?|extra)\s+/i, ''));
  const at = match.index + match[0].length - row.length;
  return [{ value, at, length: row.length, score: isRequired ? SURE.likely : SURE.described }];
}

/** "Lakers and Clippers" are two in a list. */
function splitName({ value, at }: Found): Found[] {
  return [...value.matchAll(/(?:(?!\s+and\s|,).)+/g)].flatMap((match) => {
    const part = match[0].replace(/^(?:\s*and\s+|[\s,]+)/, '').trim();
    return part === '' ? [] : [{ value: part, at: at + match.index + match[0].indexOf(part), length: part.length }];
  });
}

function isPlainItem(items: { type?: Json }): boolean {
  return items.type === undefined || /str/.test(String(items.type));
}

function numbersOf({ numbers }: MessageValues): Found<Json>[] {
  const digits = numbers.filter(({ isWord }) => !isWord);
  return (digits.length > 0 ? digits : numbers).map(({ value, at, length }) => ({ value, at, length }));
}

function isNamed(option: string, text: string): boolean {
  return (
    option.length > 1 &&
    option.length < 30 &&
    new RegExp(String.raw`(?<![\w])${escapePattern(option)}(?![\w])`, 'i').test(text)
  );
}

function whole(value: Json[], score: number): Candidate {
  return { value, at: 0, length: 0, score };
}

/** Values that follow each other: "A, B and C". The row beside the argument's word wins. */
function readRow(profile: ArgumentProfile, { text }: MessageValues, found: readonly Found<Json>[]): Candidate[] {
  const labels = labelsOf(profile, text);
  const rows: Found<Json>[][] = [];
  for (const part of found.toSorted((a, b) => a.at - b.at)) {
    const last = rows.at(-1)?.at(-1);
    const gap = last ? text.slice(last.at + last.length, part.at) : '';
    if (last && gap.length <= MAX_GAP && /^[\s,;&()\]["'\w$]*$/.test(gap) && /,|\band\b|&|\bor\b|\s/.test(gap))
      rows.at(-1)?.push(part);
    else rows.push([part]);
  }
  return rows.map((row) => {
    const at = row[0]?.at ?? 0;
    const length = (row.at(-1)?.at ?? 0) + (row.at(-1)?.length ?? 0) - at;
    const near = nearLabel(labels, text, { at, length });
    const isWith =
      /\b(?:attendee|participant|guest|invitee|people|member|recipient)/.test(profile.words.join(' ')) &&
      /\b(?:with|invite|inviting|to)\s+$/i.test(text.slice(0, at));
    const isMail = /\be-?mail/.test(profile.meaning) && row.every((part) => String(part.value).includes('@'));
    const score =
      near > 0
        ? near
        : isMail
          ? SURE.shaped
          : isWith
            ? SURE.linked
            : profile.isRequired
              ? SURE.left + row.length / 100
              : 0;
    return { value: row.map((part) => part.value), at, length, score };
  });
}

const CHOICES = /([\p{L}\d][^,.?!:;]*(?:,\s*[^,.?!:;]+)*,?\s+or\s+[^,.?!:;]+)[.?!]*$/u;

/** "pizza, sushi or salad" for the options of a vote. */
function readChoices({ words }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const row = words.some((word) => /^(?:options|choices|answers|alternatives)$/.test(word))
    ? CHOICES.exec(text.split(/[?:]\s+/).at(-1) ?? '')?.[1]
    : undefined;
  return row === undefined
    ? []
    : [
        whole(
          row.split(/,\s*(?:or\s+)?|\s+or\s+/).map((part) => part.trim()),
          SURE.linked,
        ),
      ];
}

function readEnumeration({ labels }: ArgumentProfile, { text }: MessageValues): Candidate[] {
  const own = labels.length > 0 ? `|\\b(?:${labels.map(escapePattern).join('|')})\\w*` : '';
  const match = new RegExp(String.raw`(?::|\bof|\bfor|\bwith|\bon|\bbuy|\border|\badd${own})\s+([^.?!:]+)`, 'i').exec(
    text,
  );
  const parts = match?.[1]
    ?.split(/,\s*(?:and\s+)?|\s+and\s+/)
    .map((part) => part.trim().replace(/^(?:the|an?|some)\s+/i, ''));
  const value = parts?.filter((part) => part !== '') ?? [];
  return value.length > 0 ? [whole(value, SURE.left)] : [];
}
