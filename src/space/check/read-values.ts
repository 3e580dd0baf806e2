import type { SpaceModel } from '../model/model.ts';
import type { SqlRunner } from '../sql/sql-runner.ts';

/** The values of a dimension, with the labels of the rows that have them where the dimension names rows. */
export interface DimensionValue {
  value: string;
  labels: string[];
}

export interface ReadValues {
  byDimension: Map<string, DimensionValue[]>;
  problems: string[];
}

const QUERY_MS = 20_000;
const MAX_VALUES = 1_000;
const MAX_LABELS = 200;

/** Reads the values of every dimension from its first column, and finds columns that do not exist. */
export async function readValues(model: SpaceModel, runner: SqlRunner): Promise<ReadValues> {
  const byDimension = new Map<string, DimensionValue[]>();
  const problems: string[] = [];
  for (const { name, homes, entity } of model.dimensions.values()) {
    for (const [index, { table, column }] of homes.entries()) {
      if (!model.tables.has(table)) {
        problems.push(`dimensions.${name}: there is no table ${table}`);
        continue;
      }
      const label = entity === undefined ? model.tables.get(table)?.label : undefined;
      const outcome = await runner.query({
        sql: sqlOf(table, column, label),
        parameters: {},
        maxRows: MAX_VALUES,
        timeoutMs: QUERY_MS,
      });
      if ('failure' in outcome) problems.push(`dimensions.${name}: ${outcome.reason}`);
      else if (index === 0) byDimension.set(name, outcome.rows.rows.map(toValue));
    }
  }
  return { byDimension, problems };
}

function sqlOf(table: string, column: string, label: string | undefined): string {
  const labels = label === undefined ? `''` : `group_concat(t."${label}", char(10))`;
  return `SELECT CAST(t."${column}" AS TEXT), ${labels} FROM "${table}" t WHERE t."${column}" IS NOT NULL GROUP BY t."${column}"`;
}

function toValue([value, labels]: readonly unknown[]): DimensionValue {
  const list = String(labels ?? '').split('\n');
  return { value: String(value), labels: list.filter((label) => label !== '').slice(0, MAX_LABELS) };
}
