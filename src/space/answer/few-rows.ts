import { toPlural } from '../model/nouns.ts';
import { columnName } from '../sql/compile-measure.ts';
import type { ResultToDescribe } from './describe-result.ts';

/**
 * The fewest rows behind a group that a ranking shows, if they are fewer than the measure asks for: an average of five
 * reviews wins easily. The group stays in the ranking, because it was asked for, but the answer is not sure.
 */
export function fewRowsOf({
  query,
  model,
  rows,
}: Pick<ResultToDescribe, 'query' | 'model' | 'rows'>): { count: number; nouns: string } | undefined {
  const measure = model.measures.get(query.order?.by ?? '');
  const noun = model.tables.get(measure?.table ?? '')?.noun;
  if (!measure || query.limit === null || noun === undefined || measure.minRows < 2) return undefined;
  const place = rows.columns.indexOf(columnName(toPlural(noun)));
  const counts = rows.rows.map((row) => row[place]).filter((cell) => typeof cell === 'number');
  const count = Math.min(...counts);
  return counts.length > 0 && count < measure.minRows ? { count, nouns: toPlural(noun) } : undefined;
}
