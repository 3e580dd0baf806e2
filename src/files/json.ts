import { isObject, type Json, parseJson } from '../schema/json.ts';

/** JSON as lines `path: value`. The records of a list are separated by empty lines, so that each stays whole. */
export function jsonToText(text: string): string {
  const value = parseJson(text);
  if (value === undefined) return text;
  const list = Array.isArray(value) ? value : undefined;
  if (list?.some((item) => isObject(item))) return list.map((item) => toLines(item, '').join('\n')).join('\n\n');
  return toLines(value, '').join('\n');
}

/** Each line is a record; a line that is no JSON stays as it is. */
export function jsonLinesToText(text: string): string {
  const records = text.split('\n').map((line) => {
    const value = line.trim() === '' ? undefined : parseJson(line);
    return value === undefined ? line : toLines(value, '').join('\n');
  });
  return records.filter((record) => record !== '').join('\n\n');
}

const MAX_DEPTH = 32;

function toLines(value: Json, path: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [`${path}: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return [line(path, value.map(String).join(', '))];
    return value.flatMap((item) => [...toLines(item, path, depth + 1), ...(depth < 1 ? [''] : [])]);
  }
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) => toLines(one, path === '' ? key : `${path}.${key}`, depth + 1));
  return [line(path, String(value))];
}

function line(path: string, value: string): string {
  return path === '' ? value : `${path}: ${value}`;
}
