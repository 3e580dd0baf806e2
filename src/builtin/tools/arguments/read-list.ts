import { aliasesOf } from '../../../language/aliases.ts';
import { isObject, type Json } from '../../../schema/json.ts';
import { enumOf } from '../tool-document.ts';
import type { ArgumentProfile } from './argument-profile.ts';
import { type Candidate, type CandidateReader, type Found, type MessageValues, SURE } from './candidate.ts';
import { escapePattern, labelsOf, nearLabel } from './near-label.ts';

const MAX_GAP = 14;
const MAX_OPTION = 30;

/** Lists: the options that are named or the values in a row after the argument's word. */
export const readLists: CandidateReader = (profile, values) => {
  const { schema } = profile.argument;
  const items = isObject(schema.items) ? schema.items : {};
  const isPlain = items.type === undefined || /str/.test(String(items.type));
  const options = enumOf(schema).filter((option) =>
    [String(option), ...aliasesOf(String(option))].some((name) => isNamed(name, values.text)),
  );
  const isOption = enumOf(schema).length > 0;
  if (isOption) return options.length === 0 ? [] : [{ value: options, at: 0, length: 0, score: SURE.linked }];
  if (/int|number|float/.test(String(items.type))) return readRow(profile, values, numbersOf(values));
  if (!isPlain) return [];
  const rows = [values.quoted, values.tokens, values.names.flatMap(splitName)];
  return rows.flatMap((row) => readRow(profile, values, row));
};

/** "Lakers and Clippers" are two in a list. */
function splitName({ value, at }: Found): Found[] {
  return [...value.matchAll(/(?:(?!\s+and\s|,).)+/g)].flatMap((match) => {
    const part = match[0].replace(/^(?:\s*and\s+|[\s,]+)/, '').trim();
    return part === '' ? [] : [{ value: part, at: at + match.index + match[0].indexOf(part), length: part.length }];
  });
}

function numbersOf({ numbers }: MessageValues): Found<Json>[] {
  const digits = numbers.filter(({ isWord }) => !isWord);
  return (digits.length > 0 ? digits : numbers).map(({ value, at, length }) => ({ value, at, length }));
}

function isNamed(option: string, text: string): boolean {
  const pattern = String.raw`(?<![\w])${escapePattern(option)}(?![\w])`;
  return option.length > 1 && option.length < MAX_OPTION && new RegExp(pattern, 'i').test(text);
}

/** Values that follow each other: "A, B and C". The row beside the argument's word wins. */
function readRow(profile: ArgumentProfile, { text }: MessageValues, found: readonly Found<Json>[]): Candidate[] {
  const labels = labelsOf(profile, text);
  const rows: Found<Json>[][] = [];
  for (const part of found.toSorted((a, b) => a.at - b.at)) {
    const last = rows.at(-1)?.at(-1);
    const gap = last ? text.slice(last.at + last.length, part.at) : '';
    if (last && gap.length <= MAX_GAP && /^[\s,;&()\]["'\w$]*$/.test(gap) && /,|&|\s/.test(gap))
      rows.at(-1)?.push(part);
    else rows.push([part]);
  }
  return rows.map((row) => {
    const at = row[0]?.at ?? 0;
    const length = (row.at(-1)?.at ?? 0) + (row.at(-1)?.length ?? 0) - at;
    const isMail = /\be-?mail/.test(profile.meaning) && row.every((part) => String(part.value).includes('@'));
    const isWith =
      /\b(?:attendee|participant|guest|invitee|people|member|recipient)/.test(profile.words.join(' ')) &&
      /\b(?:with|invite|inviting|to)\s+$/i.test(text.slice(0, at));
    const shape = isMail ? SURE.shaped : isWith ? SURE.linked : profile.isRequired ? SURE.left + row.length / 100 : 0;
    const score = nearLabel(labels, text, { at, length }) || shape;
    return { value: row.map((part) => part.value), at, length, score };
  });
}
