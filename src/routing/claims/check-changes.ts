import type { JsonObject } from '../../schema/json.ts';
import { columnOf } from '../check/executed-query.ts';
import { inside, measureWords } from './claim-text.ts';
import type { Directed } from './direction-words.ts';

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

/** The newer figure minus the older one. */
function comparedChange(directed: Directed): number | undefined {
  const { executed } = directed;
  const row = rowOf(directed);
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed) ?? '';
  const now = row?.[column];
  const before = row?.[`${column}_before`];
  if (typeof now !== 'number' || typeof before !== 'number') return undefined;
  return now - before;
}

function rowOf({ executed, claims, sentence }: Directed): JsonObject | undefined {
  const names = inside(claims.names, sentence).map(({ name }) => name);
  return executed.rows.find((row) => names.some((name) => Object.values(row).includes(name))) ?? executed.rows[0];
}

/** Along time: between the rows that the sentence names, or over all rows. */
function seriesChange(directed: Directed): number | undefined {
  const { executed } = directed;
  if (executed.query.grain === null) return undefined;
  const column = columnOf(executed.query.measures[0]?.name ?? '', executed);
  if (column === undefined) return undefined;
  const named = rowsIn(directed, executed.rows);
  const rows = named.length > 1 ? named : executed.rows;
  const [first, last] = [rows[0], rows.at(-1)];
  const from = first?.[column];
  const to = last?.[column];
  return typeof from === 'number' && typeof to === 'number' && first !== last ? to - from : undefined;
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
