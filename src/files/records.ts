import { isObject, type Json, type JsonObject, parseJson } from '../schema/json.ts';
import type { Records } from '../schema/knowledge/entry.ts';
import { findDelimiter } from './convert-text.ts';
import { readCsv } from './read-csv.ts';

/** Records as Markdown: a heading with the id of each, then its texts, then its other fields as `name: value`. */
export async function recordsToText(
  content: string,
  name: string,
  { id, text, meta, path, delimiter }: Records,
): Promise<string> {
  const records = /\.[ct]sv$/i.test(name) ? await readRows(content, delimiter) : readJson(content, path);
  const parts = records.map((record) => {
    const texts = text.map((field) => toWords(record[field])).filter((words) => words !== '');
    const fields = meta.map((field) => `${field}: ${toWords(record[field])}`).filter((line) => !line.endsWith(': '));
    return [`# ${toWords(record[id])}`, ...[...texts, fields.join('\n')].map(withoutHeadings)].join('\n\n');
  });
  return parts.join('\n\n');
}

async function readRows(content: string, given: string | undefined): Promise<JsonObject[]> {
  const delimiter = given ?? findDelimiter(content.slice(0, content.indexOf('\n') + 1)) ?? ',';
  const rows: string[][] = [];
  await readCsv(content, { delimiter, onRow: ({ fields }) => void rows.push(fields) });
  const [names = [], ...rest] = rows;
  return rest.map((fields) => Object.fromEntries(names.map((column, at) => [column, fields[at] ?? ''])));
}

/** A list of records, below `path` if there is one; or a record in each line. */
function readJson(content: string, path = ''): JsonObject[] {
  let value = parseJson(content);
  if (value === undefined)
    return content
      .split('\n')
      .map((line) => parseJson(line))
      .filter(isObject);
  for (const step of path.split('.').filter(Boolean)) value = isObject(value) ? value[step] : undefined;
  return [value].flat().filter(isObject);
}

function toWords(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

/** A heading in a field would begin a passage of its own. */
function withoutHeadings(text: string): string {
  return text.replace(/^(?=#)/gm, ' ');
}
