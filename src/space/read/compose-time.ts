import { addDays } from '../../language/zoned-time.ts';
import type { Grain, Period } from '../../schema/data-query.ts';
import { baseTable, claimComparison, type Draft, findOp, isOp, measureOf, NotReadable } from './draft.ts';
import { endOf, startOf } from './words/calendar.ts';

/** Periods, steps in time and comparisons of two periods. */
export function composeTime(draft: Draft): void {
  const periods = draft.nodes.flatMap(({ item }, at) => (item.kind === 'period' ? [{ ...item, at }] : []));
  for (const { at, isDoubtful } of periods) {
    draft.used.add(at);
    if (isDoubtful) draft.penalty += 0.5;
  }
  const [first, second, ...more] = periods;
  if (more.length > 0) throw new NotReadable('it names more than two periods');
  const change = findOp(draft, 'change');
  if (first && second) comparePeriods(draft, first.period, second.period);
  else if (first && draft.without) draft.without = { ...draft.without, period: first.period };
  else if (first && isNow(draft, first.period)) draft.notes.push('as of now, because the past is not known');
  else if (first) draft.period = first.period;
  else if (asksToday(draft))
    draft.period = { from: draft.view.facts.today, to: draft.view.facts.today, words: 'today' };
  if (change >= 0) composeChange(draft, change);
  takeHistory(draft);
  checkDates(draft);
}

/** "How many orders today?": a state has its figures of now, events have those of the day. */
function asksToday(draft: Draft): boolean {
  const { time, snapshot, label } = draft.view.model.tables.get(baseTable(draft)) ?? {};
  const isEvent = time !== undefined && snapshot !== true && label === undefined;
  return isEvent && draft.nodes.some(({ op, item }) => op?.is === 'now' && /^today$/i.test(item.text));
}

export function composeGrain(draft: Draft): void {
  const trend = draft.nodes.findIndex(
    ({ op, item }) =>
      op?.is === 'grain' && /\b(?:day|week|month|quarter|year|daily|weekly|monthly|quarterly)/i.test(item.text),
  );
  const at = trend >= 0 ? trend : findOp(draft, 'grain', 'when');
  for (const [place, node] of draft.nodes.entries())
    if (node.op?.is === 'grain' && (place === at || /trend|time|develop|evol/i.test(node.item.text)))
      draft.used.add(place);
  const op = draft.nodes[at]?.op;
  if (!op) return;
  const isMean = draft.nodes.some((node) => isOp(node, 'average'));
  draft.used.add(at);
  if (op.is === 'when') {
    draft.grain = 'month';
    draft.notes.push('by month');
    draft.penalty += 1;
  } else if (op.is === 'grain' && isMean && isPerUnit(op.grain) && isEach(draft, at)) {
    for (const [place, node] of draft.nodes.entries()) if (isOp(node, 'average')) draft.used.add(place);
    draft.per = op.grain;
  } else if (op.is === 'grain') draft.grain = op.grain;
}

const isPerUnit = (grain: Grain): boolean => grain === 'day' || grain === 'week' || grain === 'month';
/** "Which month had the highest average rating?" asks for the month. */
const isEach = ({ nodes }: Draft, at: number) =>
  /^(?:per|a|each|every|daily|weekly|monthly|by)\b/i.test(nodes[at]?.item.text ?? '');

/** A state of now has no past; a running period asks for it all the same: "to reorder this week". */
function isNow(draft: Draft, { to }: Period): boolean {
  const isSnapshot = draft.view.model.tables.get(baseTable(draft))?.snapshot === true;
  const hasPast = draft.measures.some(({ name }) => measureOf(draft, name).overTime !== undefined);
  return isSnapshot && to >= draft.view.facts.today && (!hasPast || draft.conditions.named.length > 0);
}

/** Two periods are shown side by side, the later one first, whatever the order of the words. */
function comparePeriods(draft: Draft, a: Period, b: Period): void {
  const isCompared = draft.nodes.some((node) => isOp(node, 'versus', 'compare', 'change', 'and', 'or'));
  if (!isCompared) throw new NotReadable('two periods are named, and nothing says how they belong together');
  claimComparison(draft, 'versus', 'compare', 'change', 'and', 'or');
  [draft.compare, draft.period] = a.from <= b.from ? [a, b] : [b, a];
}

/** "How much did revenue grow in October": against the same length of time before. */
function composeChange(draft: Draft, at: number): void {
  const { op } = draft.nodes[at] ?? {};
  if (op?.is !== 'change') return;
  if (!draft.compare) {
    if (draft.grain !== null && !draft.asked && draft.groups.length === 0) {
      draft.used.add(at);
      return;
    }
    if (!draft.period) throw new NotReadable('a change needs two periods');
    const since = sinceOf(draft);
    if (since) [draft.period, draft.compare] = since;
    draft.compare ??= periodBefore(draft.period);
    draft.notes.push(`compared with ${draft.compare.from} to ${draft.compare.to}`);
    draft.penalty += 1;
  }
  draft.used.add(at);
  const target = draft.asked ?? draft.groups[0];
  if (!target) return;
  const isMost = draft.nodes.some(
    (node) => isOp(node, 'most') || /^(?:fastest|strongest|slowest)$/i.test(node.item.text),
  );
  const low = draft.order?.direction === 'lowest' || op.direction === 'lowest';
  if (isMost || draft.asked) {
    draft.order = { by: draft.measures[0]?.name ?? '', direction: low ? 'lowest' : 'highest', of: 'growth' };
    draft.limit ??= draft.asked?.isPlural ? 5 : draft.asked ? 1 : null;
  }
}

/** "Since last year": the newest whole month against the first month of the data from then on. */
function sinceOf(draft: Draft): [Period, Period] | undefined {
  const { period, view } = draft;
  const { ranges, today } = view.facts;
  const range = ranges.get(baseTable(draft));
  if (!period || !range || !/^since\b/i.test(period.words)) return undefined;
  const first = period.from > range.from ? period.from : range.from;
  const last = addDays(startOf('month', addDays(today, 1)), -1);
  const month = (day: string): Period => ({ from: startOf('month', day), to: endOf('month', day), words: '' });
  return first < startOf('month', last) ? [month(last), month(first)] : undefined;
}

/** The unit before a whole one, or as many days before other periods. */
export function periodBefore({ from, to }: Period): Period {
  const last = addDays(from, -1);
  for (const unit of ['month', 'quarter', 'year'] as const)
    if (startOf(unit, from) === from && endOf(unit, from) === to)
      return { from: startOf(unit, last), to: last, words: '' };
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  return { from: addDays(last, -days), to: last, words: '' };
}

/** A level such as stock has its past in another table. */
function takeHistory(draft: Draft): void {
  if (!draft.period && !draft.grain) return;
  for (const one of draft.measures) {
    const { overTime, name } = measureOf(draft, one.name);
    if (overTime === undefined || draft.view.model.tables.get(baseTable(draft))?.snapshot !== true) continue;
    one.name = overTime;
    if (draft.order?.by === name) draft.order = { ...draft.order, by: overTime };
  }
}

function checkDates(draft: Draft): void {
  const table = draft.view.model.tables.get(baseTable(draft));
  if (draft.period && table?.snapshot) throw new NotReadable('this is known for now only, not for a period');
  if ((draft.period || draft.grain) && table?.time === undefined) throw new NotReadable('it has no dates');
  const isOwn = table?.label !== undefined && draft.period !== null;
  // The date of a customer is the day of signing up; a condition such as "churned" has no date.
  const isNew = draft.nodes.some(({ item }) => /^new$/i.test(item.text));
  const isSaid =
    isNew ||
    draft.nodes.some(
      ({ sense, item }) =>
        sense?.kind === 'table' && sense.table === table?.name && sense.weight < 3 && / |ed$|join/i.test(item.text),
    );
  // "Customers that we lost this year": the day of signing up is another one.
  if (isOwn && !isSaid && draft.conditions.named.length > 0 && draft.compare === null) {
    draft.period = null;
    draft.notes.push(`the data does not say when a ${table?.noun} became so, so this is for all time`);
    draft.penalty += 1;
  } else if (isOwn && !isSaid && draft.measures.every(({ among }) => among === null))
    throw new NotReadable(`the data only says when each ${table?.noun} began (${table?.time?.replaceAll('_', ' ')})`);
}
