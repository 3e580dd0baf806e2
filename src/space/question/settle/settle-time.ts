import type { Period } from '../../../schema/data-query.ts';
import { addDays, endOf, startOf } from '../words/calendar.ts';
import { isContrast } from './settle-conditions.ts';
import { measureOf, type Settling, viewOf } from './settling.ts';

/** Periods: the first one counts, one after "compared to" is shown beside it. */
export function settlePeriods(settling: Settling): void {
  const { draft, query, assumptions, parts } = settling;
  const own = draft.periods.filter(({ isCompared }) => !isCompared);
  const compared = draft.periods.filter(({ isCompared }) => isCompared);
  for (const { at, period, isDoubtful } of draft.periods) {
    parts.set(at, `period ${period.from} to ${period.to}`);
    if (isDoubtful) assumptions.push(`"${period.words}" is ${period.from} to ${period.to}`);
  }
  const [first, second] = own;
  const period = first?.period ?? null;
  if (own.length === 2 && first && second && draft.change !== undefined && compared.length === 0) {
    const [before, after] = [first, second].toSorted((a, b) => a.period.from.localeCompare(b.period.from));
    query.compare = before?.period ?? null;
    query.period = after?.period ?? null;
  } else if (own.length > 2 && joinPeriods(settling, own)) {
    assumptions.push('the periods are shown one by one');
  } else if (own.length === 2 && second && isBothShown(settling) && compared.length === 0) {
    query.compare = first?.period ?? null;
    query.period = second.period;
    if (!draft.items.some(isContrast)) assumptions.push('the two periods are shown side by side');
  } else if (own.length > 1) settling.problems.push(`"${second?.period.words}" beside "${first?.period.words}"`);
  else query.period = period;
  if (query.without && query.period) {
    query.without.period = query.period;
    query.period = null;
  }
  if (compared.length === 1 && !query.period) assumeRunning(settling, compared[0]?.period);
  if (compared.length > 1 || (compared.length === 1 && !query.period))
    settling.problems.push('a comparison needs two periods');
  else if (compared[0]) query.compare = compared[0].period;
}

/** "May and June", "more in May or in June". */
function isBothShown({ draft: { markers } }: Settling): boolean {
  return markers.has('and') || (markers.has('rival') && markers.has('or'));
}

/** "Q1, Q2 and Q3": periods of one unit that follow each other are rows of one period. */
function joinPeriods({ query }: Settling, own: Settling['draft']['periods']): boolean {
  const sorted = own.map(({ period }) => period).toSorted((a, b) => a.from.localeCompare(b.from));
  const unit = (['month', 'quarter', 'year'] as const).find((one) =>
    sorted.every(({ from, to }) => startOf(one, from) === from && endOf(one, from) === to),
  );
  const isOneByOne = sorted.every(({ from }, at) => at === 0 || addDays(sorted[at - 1]?.to ?? '', 1) === from);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (!unit || !isOneByOne || !first || !last || query.grain) return false;
  query.grain = unit;
  query.period = { from: first.from, to: last.to, words: own.map(({ period }) => period.words).join(', ') };
  return true;
}

/** "Revenue compared with last month": the running month is meant. */
function assumeRunning({ query, views, assumptions }: Settling, compared: Period | undefined): void {
  const unit = (['week', 'month', 'quarter', 'year'] as const).find((one) => compared?.words.includes(one));
  const today = views
    .map(({ facts }) => facts.today)
    .toSorted()
    .at(-1);
  if (!unit || today === undefined || !/\b(?:last|previous)\b/i.test(compared?.words ?? '')) return;
  query.period = { from: startOf(unit, today), to: today, words: `this ${unit}` };
  assumptions.push(`this ${unit} is compared`);
}

/** A snapshot has no past; its history measure answers for a period or a trend. */
export function settleTime(settling: Settling): void {
  const { query, draft } = settling;
  if ((draft.isNow || draft.isCurrent) && !query.period) checkNow(settling);
  if (!query.period && !query.grain) return;
  for (const one of settling.measures) {
    const measure = measureOf(settling, one);
    const view = viewOf(settling, one.space);
    // "Sold in Q3 and on hand now": the period is not the snapshot's.
    if ((draft.isNow || draft.isCurrent) && measure?.overTime !== undefined && settling.measures.length > 1) continue;
    const table = view?.model.tables.get(one.among ?? measure?.table ?? '');
    if (!measure || !table) continue;
    if (measure.overTime !== undefined) {
      if (query.order?.by === one.name) query.order.by = measure.overTime;
      one.name = measure.overTime;
      assumeLevel(settling, measure.name);
      continue;
    }
    if (table.time === undefined) settling.problems.push(`${measure.name} has no dates`);
    else if (table.label !== undefined && !draft.verbs.some((verb) => verb.table === table.name))
      settling.assumptions.push(`the period is the ${table.time.replaceAll('_', ' ')}`);
  }
}

/** A level of a period: the running one may also mean the state of now, a longer one has several levels. */
function assumeLevel({ query, views, assumptions }: Settling, name: string): void {
  const { period, grain } = query;
  if (!period || grain) return;
  const isRunning = views.some(({ facts }) => facts.today >= period.from && facts.today <= period.to);
  if (isRunning) assumptions.push(`${name} is taken from its history; now it may be another figure`);
  else if (startOf('month', period.from) !== startOf('month', period.to)) {
    if (query.dimensions.length === 0 && !query.order && !query.compare) query.grain = 'month';
    assumptions.push(query.grain ? `${name} is shown for each month` : `${name} is the one at the end of the period`);
  }
}

/** Events have no state of now. */
function checkNow(settling: Settling): void {
  for (const one of settling.measures) {
    const table = viewOf(settling, one.space)?.model.tables.get(one.among ?? measureOf(settling, one)?.table ?? '');
    if (table?.time !== undefined && table.label === undefined)
      settling.problems.push(`${one.name} has dates, but no state of now`);
  }
}
