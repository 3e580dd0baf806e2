import type { JsonObject } from '../../schema/json.ts';
import { columnOf, type ExecutedQuery } from '../check/executed-query.ts';
import { isOf } from '../check/match-period.ts';
import { type ClaimText, inside, measureWords } from './claim-text.ts';
import type { Directed } from './directed.ts';

/** Up or down: between two periods of the query, or along its rows over time. Returns why the claim does not hold. */
export function checkChange(directed: Directed): string | undefined {
  const { executed, word, claims } = directed;
  const measure = executed.query.measures[0]?.name ?? '';
  const change = executed.query.compare ? comparedChange(directed) : seriesChange(directed);
  if (change === undefined) return hasBasis(directed) ? undefined : 'the query compared no periods';
  const isLess = word.isValue && measureWords(claims, measure)?.good === 'down';
  const isUp = (word.direction === 'highest') !== isLess;
  if (change === 0 || change > 0 === isUp) return undefined;
  return `${measure} went ${change > 0 ? 'up' : 'down'}`;
}

/** A word such as "drop" beside no figure is no claim about the data. */
function hasBasis({ executed, claims, sentence, word }: Directed): boolean {
  if (word.kind !== 'change') return true;
  if (executed.query.compare || executed.query.grain) return true;
  return inside(claims.figures, sentence).length === 0;
}

/** The newer figure minus the older one. A sentence whose subject is the older period is turned round. */
function comparedChange(directed: Directed): number | undefined {
  const { executed } = directed;
  const row = rowOf(directed);
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed) ?? '';
  const now = row?.[column];
  const before = row?.[`${column}_before`];
  if (typeof now !== 'number' || typeof before !== 'number') return undefined;
  return isTurned(directed) ? before - now : now - before;
}

function rowOf({ executed, claims, sentence }: Directed): JsonObject | undefined {
  const names = inside(claims.names, sentence).map(({ name }) => name);
  return executed.rows.find((row) => names.some((name) => Object.values(row).includes(name))) ?? executed.rows[0];
}

/** "September was higher than October": a comparative whose subject is the older period. */
function isTurned({ executed, claims, sentence, word }: Directed): boolean {
  const { compare } = executed.query;
  if (word.kind !== 'comparative' || !compare) return false;
  const subject = inside(claims.periods, { start: sentence.start, end: word.start }).at(-1);
  return subject !== undefined && isOf(subject, compare);
}

/** Along time: between the two rows that the sentence names, from the row before a single one, or over all rows. */
function seriesChange(directed: Directed): number | undefined {
  const { executed } = directed;
  if (executed.query.grain === null) return undefined;
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed);
  if (column === undefined) return undefined;
  const rows = rowsOfNames(directed, executed);
  const named = rowsIn(directed, rows);
  const [first, last] =
    named.length > 1
      ? [named[0], named.at(-1)]
      : named.length === 1
        ? aroundOf(rows, named[0])
        : [rows[0], rows.at(-1)];
  const from = first?.[column];
  const to = last?.[column];
  return typeof from === 'number' && typeof to === 'number' && first !== last ? to - from : undefined;
}

function aroundOf(
  rows: readonly JsonObject[],
  row: JsonObject | undefined,
): [JsonObject | undefined, JsonObject | undefined] {
  const at = row ? rows.indexOf(row) : -1;
  return [rows[at - 1], row];
}

/** With further groups, only the rows of the group that the sentence names. */
function rowsOfNames({ claims, sentence }: Directed, { rows, query }: ExecutedQuery): JsonObject[] {
  if (query.dimensions.length === 0) return rows;
  const names = groupNames(claims, sentence, rows);
  return rows.filter((row) => names.every((name) => Object.values(row).includes(name)));
}

function groupNames(claims: ClaimText, sentence: Directed['sentence'], rows: readonly JsonObject[]): string[] {
  const time = Object.keys(rows[0] ?? {})[0] ?? '';
  const labels = new Set(rows.map((row) => row[time]));
  return inside(claims.names, sentence).flatMap(({ name }) => (labels.has(name) ? [] : [name]));
}

/** The rows that names and figures of the sentence point at, in order of time. */
function rowsIn({ claims, sentence, executed }: Directed, rows: readonly JsonObject[]): JsonObject[] {
  const names = new Set(inside(claims.names, sentence).map(({ name }) => name));
  const places = new Set(
    inside(claims.figures, sentence).flatMap(({ call_id: id, row }) =>
      id === executed.callId && row !== undefined ? [executed.rows[row]] : [],
    ),
  );
  const time = Object.keys(rows[0] ?? {})[0] ?? '';
  return rows.filter((row) => places.has(row) || names.has(String(row[time])));
}
