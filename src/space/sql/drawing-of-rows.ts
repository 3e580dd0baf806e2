import type { Drawing } from '../../schema/data-query.ts';
import type { QueryRows } from './guarded-database.ts';

const TIME_LABEL = /^\d{4}(?:-(?:Q[1-4]|\d\d(?:-\d\d)?))?$/;

/** The best way to draw rows without a query object: their first column names them, and another one has figures. */
export function drawingOfRows({ columns, rows }: QueryRows): Drawing {
  if (rows.length < 2) return 'figure';
  const labels = rows.map(([label]) => label);
  const hasFigures = columns.some((_, at) => at > 0 && rows.every((row) => typeof row[at] === 'number'));
  const areNames = labels.every((label) => typeof label === 'string') && new Set(labels).size === labels.length;
  if (!hasFigures || !areNames) return 'table';
  return labels.every((label) => TIME_LABEL.test(String(label))) ? 'line' : 'bars';
}
