import type { Clock } from '../clock.ts';
import type { DataFacts } from './model/merge-models.ts';
import type { SpaceModel } from './model/model.ts';
import type { SqlRunner } from './sql/sql-runner.ts';

const MAX_VALUES = 20_000;
const TIMEOUT_MS = 45_000;

/** Reads the values of every dimension and the dates of every table. */
export async function readFacts(model: SpaceModel, runner: SqlRunner, clock: Clock): Promise<DataFacts> {
  await runner.load();
  const query = async (sql: string) => {
    const outcome = await runner.query({ sql, parameters: {}, maxRows: MAX_VALUES, timeoutMs: TIMEOUT_MS });
    if ('failure' in outcome) throw new Error(outcome.reason);
    return outcome.rows.rows;
  };
  const values = new Map<string, string[]>();
  for (const { name, homes, role } of model.dimensions.values()) {
    if (role !== undefined) continue;
    const found = new Set<string>();
    for (const { table, column } of homes) {
      const rows = await query(`SELECT DISTINCT "${column}" FROM "${table}" WHERE "${column}" IS NOT NULL`);
      for (const [value] of rows) found.add(String(value));
    }
    values.set(name, [...found]);
  }
  const { ranges, months } = await readDates(model, query);
  return { values, ranges, months, today: todayOf(model, ranges, clock) };
}

async function readDates(model: SpaceModel, query: (sql: string) => Promise<unknown[][]>) {
  const ranges = new Map<string, { from: string; to: string }>();
  const months = new Set<string>();
  for (const { name, time } of model.tables.values()) {
    if (time === undefined) continue;
    const [row] = await query(`SELECT min("${time}"), max("${time}"), max(length("${time}")) FROM "${name}"`);
    const [from, to, length] = row ?? [];
    if (typeof from !== 'string' || typeof to !== 'string') continue;
    if (length === 7) months.add(`${name}.${time}`);
    ranges.set(name, { from: dayFrom(from, '01'), to: dayFrom(to, '31') });
  }
  return { ranges, months };
}

function dayFrom(text: string, day: string): string {
  return text.length === 7 ? `${text}-${day}` : text.slice(0, 10);
}

function todayOf({ today }: SpaceModel, ranges: DataFacts['ranges'], clock: Clock): string {
  if (/^\d{4}-/.test(today)) return today;
  const newest = [...ranges.values()]
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  return today === 'now' || newest === undefined ? clock.date().toISOString().slice(0, 10) : newest;
}
