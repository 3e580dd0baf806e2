import type { Conditions, ValueFilter } from '../../../schema/data-query.ts';
import type { Measure } from '../../model/model.ts';
import { findPaths } from '../../model/resolve.ts';
import type { DraftNumber, DraftValue, Mention } from '../draft-shape.ts';
import { countNameOf, entityNoun, measureOf, type Settling, viewOf } from './settling.ts';

/** Turns values, named filters and numbers into conditions. */
export function settleConditions(settling: Settling): void {
  const { draft, query } = settling;
  const values = draft.values.filter(({ at }) => !settling.parts.get(at)?.startsWith('measure only'));
  for (const value of values) addValue(settling, value);
  for (const { sense, negated, at, words } of draft.filters) {
    settling.parts.set(at, `condition ${negated ? 'not ' : ''}${sense.name}`);
    if (sense.isShort) settling.weak.push(words);
    if (!query.named.some((one) => one.name === sense.name)) query.named.push({ name: sense.name, negated });
  }
  checkWithin(settling);
  checkScope(settling);
  for (const number of draft.numbers) addNumber(settling, number);
  joinValues(settling);
  settleWithout(settling);
}

/** "Without Gold customers in the West": are they excluded everywhere, or there only? */
function checkScope({ draft, assumptions }: Settling): void {
  const excluded = draft.values.find(({ negated }) => negated);
  const isOpen = excluded && draft.values.some(({ at, negated }) => !negated && at > excluded.at);
  if (isOpen) assumptions.push(`only ${excluded.words} is excluded`);
}

/** "Not recovered": of the abandoned carts, or of all of them? */
function checkWithin({ query, views, assumptions }: Settling): void {
  for (const { name, negated } of query.named) {
    const within = views.map(({ model }) => model.filters.get(name)?.within).find((other) => other !== undefined);
    if (!negated || within === undefined || query.named.some((other) => other.name === within)) continue;
    assumptions.push(`rows that are not ${within} count as not ${name}, too`);
  }
}

function addValue(settling: Settling, value: DraftValue): void {
  const { query, weak, parts } = settling;
  const { sense, negated, at } = value;
  const dimension = withRole(settling, value);
  if (!isNeeded(settling, sense.dimension))
    settling.problems.push(`"${value.words}" as ${sense.dimension} needs more words`);
  if (sense.strength !== 'name' || isBeginning(settling, value)) weak.push(value.words);
  const values = [sense.value, ...(sense.others ?? [])];
  const said = values.join(' or ');
  parts.set(at, `${parts.has(at) ? 'measure and ' : ''}filter ${dimension} ${negated ? 'not ' : ''}${said}`);
  const same = query.filters.find((one) => one.dimension === dimension && one.negated === negated);
  if (same) same.values = [...new Set([...same.values, ...values])];
  else query.filters.push({ dimension, values, negated });
}

/** "East" may be the region or the beginning of "East Warehouse", unless its dimension is named. */
function isBeginning({ draft, measures, views }: Settling, { sense }: DraftValue): boolean {
  const isNamed = draft.mentions.some(
    ({ sense: other }) => other.kind === 'dimension' && other.name === sense.dimension,
  );
  const facts = views.find(({ model }) => model.space === measures[0]?.space)?.facts;
  if (isNamed || !facts) return false;
  return [...facts.values].some(
    ([dimension, values]) => dimension !== sense.dimension && values.some((text) => text.startsWith(`${sense.value} `)),
  );
}

/** Values that are common English words count only beside words of their subject. */
function isNeeded({ draft, views, known }: Settling, name: string): boolean {
  if (known.has(name)) return true;
  const needs = views.flatMap(({ model }) => model.dimensions.get(name)?.needs ?? []);
  if (needs.length === 0) return true;
  const isNamed = draft.mentions.some(({ sense }) => sense.kind === 'dimension' && sense.name === name);
  const words = draft.items.map((item) => item.words.toLowerCase());
  return isNamed || words.some((text) => needs.some((need) => text.split(/\s+/).includes(need) || text === need));
}

/** Where several joins lead to one table, the words before the value choose: "to the Station Store". */
function withRole(settling: Settling, { sense, role, words }: DraftValue): string {
  const [first] = settling.measures;
  const measure = first && measureOf(settling, first);
  const model = first && viewOf(settling, first.space)?.model;
  const dimension = model?.dimensions.get(sense.dimension);
  const table = first?.among ?? measure?.table ?? '';
  const paths = dimension && model ? dimension.homes.flatMap((home) => findPaths(model, table, home.table)) : [];
  if (paths.length < 2 || !dimension) return sense.dimension;
  const fitting = paths.filter((path) => path.some((join) => role !== undefined && join.words.includes(role)));
  const [only] = fitting;
  if (fitting.length !== 1 || !only) {
    settling.problems.push(`"${words}" may be ${paths.map((path) => path.at(-1)?.role).join(' or ')}`);
    return sense.dimension;
  }
  const name = only.at(-1)?.role ?? '';
  return dimension.entity === undefined ? `${name} ${sense.dimension}` : name;
}

function addNumber(settling: Settling, number: DraftNumber): void {
  const { query, parts } = settling;
  const { is, value, words, at } = number;
  const target = targetOf(settling, number);
  if (!target) {
    settling.problems.push(`"${words}" compares nothing that is named`);
    return;
  }
  parts.set(at, `number ${words}`);
  if (number.target) parts.set(number.target.at, `compared ${number.target.words}`);
  if ('column' in target) query.numbers.push({ column: target.column, is, value });
  else query.having.push({ measure: target.measure, is, value: asShareValue(settling, target.measure, number) });
}

/** "A rate above 80 percent" is compared as a share of 1. */
function asShareValue(settling: Settling, name: string, { value, sign, words }: DraftNumber): number {
  const isRate = settling.views.some(({ model }) => model.measures.get(name)?.unit === 'percent');
  if (!isRate) return value;
  if (sign !== '%') settling.assumptions.push(`"${words}" is taken as ${value} percent`);
  return value / 100;
}

type Target = { column: string } | { measure: string };

/** A condition on single rows where the column belongs to the rows that are counted; else one on the group's figure. */
function targetOf(settling: Settling, number: DraftNumber): Target | undefined {
  const { draft } = settling;
  const subject = subjectTable(settling);
  const [verb] = draft.verbs;
  if (number.isTimes && verb) return having(countNameOf(settling, verb.table));
  const mention =
    number.target ?? draft.mentions.findLast(({ at, sense }) => at < number.at && sense.kind === 'measure');
  if (mention?.sense.kind === 'noun') return having(countNameOf(settling, mention.sense.table));
  if (mention?.sense.kind === 'measure') {
    const measure = measureOf(settling, mention.sense);
    if (!measure) return undefined;
    if (measure.table !== subject || !isColumn(measure)) return having(measure.name);
    return isOfGroup(settling, measure) ? having(measure.name) : columnOf(measure);
  }
  const unit = { $: 'usd', '%': 'percent', days: 'days', stars: 'stars' }[number.sign ?? '%'];
  if (number.sign === undefined || subject === undefined) return undefined;
  const money = settling.views
    .flatMap(({ model }) => [...model.measures.values()])
    .filter((measure) => measure.table === subject && measure.unit === unit && isColumn(measure));
  const columns = new Set(money.map(({ expressions }) => expressions[0]));
  return columns.size === 1 && money[0] ? columnOf(money[0]) : undefined;
}

/** "Which materials have a delivery time of more than 6": the figure of each group is compared, not single rows. */
function isOfGroup(settling: Settling, { name }: Measure): boolean {
  const { draft, measures, assumptions } = settling;
  const hasRows = draft.mentions.some(({ sense, task }) => sense.kind === 'noun' && task !== 'having');
  const isGroup = ({ task, sense }: Mention) => task === 'group' || (task === 'loose' && sense.kind === 'dimension');
  const isGrouped = draft.grain !== undefined || draft.mentions.some(isGroup);
  if (hasRows || !isGrouped) return false;
  if (measures.length === 1 && measures[0]?.name === name) return true;
  assumptions.push(`${name} is compared for single rows`);
  return false;
}

function having(measure: string | undefined): Target | undefined {
  return measure === undefined ? undefined : { measure };
}

function isColumn({ expressions, kind }: Measure): boolean {
  return kind !== 'ratio' && expressions.length === 1 && /^\w+$/.test(expressions[0] ?? '');
}

function columnOf({ table, expressions }: Measure): Target {
  return { column: `${table}.${expressions[0]}` };
}

/** The table whose rows are counted or listed. */
function subjectTable(settling: Settling): string | undefined {
  const [first] = settling.measures;
  const measure = first && measureOf(settling, first);
  if (measure?.isRowCount) return measure.table;
  const noun = settling.draft.mentions.find(({ sense, task }) => sense.kind === 'noun' && task !== 'having');
  if (noun?.sense.kind === 'noun') return noun.sense.table;
  return measure?.table;
}

/** Several values of one dimension: compared or listed ones are shown side by side, "or" joins them. */
function joinValues(settling: Settling): void {
  const { draft, query, assumptions } = settling;
  const named = new Set(draft.values.flatMap(({ sense }) => (sense.others?.length ? [sense.dimension] : [])));
  for (const filter of query.filters.filter(isSeveral).filter(({ dimension }) => !named.has(dimension))) {
    if (query.dimensions.includes(filter.dimension) || query.share !== 'none') continue;
    if (draft.items.some(isTogether)) assumptions.push(`${filter.values.join(' and ')} are taken together`);
    else if (draft.markers.has('versus')) query.dimensions.push(filter.dimension);
    else if (!draft.markers.has('or')) {
      query.dimensions.push(filter.dimension);
      assumptions.push(`${filter.values.join(' and ')} are shown one by one`);
    } else if (draft.head !== 'how_many') assumptions.push(`${filter.values.join(' or ')} are taken together`);
  }
}

function isTogether(item: Settling['draft']['items'][number]): boolean {
  return item.kind === 'function' && item.sense.kind === 'total' && /\b(?:combined|together)$/i.test(item.words);
}

function isSeveral({ values, negated }: ValueFilter): boolean {
  return values.length > 1 && !negated;
}

/** "Customers who have not ordered since May", "products without reviews". */
function settleWithout(settling: Settling): void {
  const { draft, query, parts } = settling;
  const verb = draft.verbs.find(({ negated }) => negated);
  const noun = draft.mentions.find(({ task }) => task === 'without');
  const table = verb?.table ?? (noun?.sense.kind === 'noun' ? noun.sense.table : undefined);
  if (table === undefined) return;
  const at = verb?.at ?? noun?.at ?? 0;
  parts.set(at, `without ${table}`);
  query.without = { table, period: null };
  if (draft.numbers.some(({ sign }) => sign === 'days'))
    settling.problems.push(`"${verb?.words ?? noun?.words}" beside a number of days`);
  const [first] = settling.measures;
  const measure = first && measureOf(settling, first);
  if (measure?.table === table) settling.problems.push(`"${verb?.words ?? noun?.words}" excludes what is counted`);
  const entity = measure?.isRowCount ? entityNoun(settling, measure.table) : undefined;
  if (entity === undefined) settling.problems.push(`"${verb?.words ?? noun?.words}" needs the things that are counted`);
}

/** "Percentage of negative reviews": the part is the measure's own condition, the whole are all rows of its table. */
function splitCondition(settling: Settling, first: Settling['measures'][number], measure: Measure): boolean {
  const model = viewOf(settling, first.space)?.model;
  const [[column, value] = []] = Object.entries(measure.where);
  const whole = countNameOf(settling, measure.table);
  if (measure.kind !== 'count' || !model || column === undefined || whole === undefined) return false;
  const home = [...model.dimensions.values()].find(({ homes }) =>
    homes.some((one) => one.table === measure.table && one.column === column),
  );
  if (!home || Object.keys(measure.where).length > 1) return false;
  settling.query.share = 'of_whole';
  settling.query.part = {
    filters: [{ dimension: home.name, values: [String(value)], negated: false }],
    named: [],
    numbers: [],
  };
  first.name = whole;
  settling.assumptions.push(`the share of ${measure.name} among all ${measure.table.replaceAll('_', ' ')}`);
  return true;
}

/** Divides the conditions of a share: those before the noun describe the whole, those after it the part. */
export function settleShare(settling: Settling): void {
  const { draft, query } = settling;
  if (!draft.markers.has('share')) return;
  const [first] = settling.measures;
  const measure = first && measureOf(settling, first);
  if (measure?.unit === 'percent') return;
  if (measure && first && splitCondition(settling, first, measure)) return;
  if (query.dimensions.length > 0 && query.filters.length + query.named.length === 0) {
    query.share = 'of_group';
    return;
  }
  const share = draft.items.findIndex((item) => item.kind === 'function' && item.sense.kind === 'share');
  // "Share of churned that are bronze": without a noun, the first condition is the whole.
  const conditions = [...draft.values, ...draft.filters].map(({ at }) => at).filter((at) => at > share);
  const whole = conditions.length > 1 ? Math.min(...conditions) : 0;
  const noun = first?.mention?.at ?? whole;
  if (!first?.mention && whole > 0) settling.assumptions.push(`the whole is "${draft.items[whole]?.words}"`);
  // "Footwear % of revenue": before the word for a share stands the part, too.
  const isAfter = (at: number) => at > noun || at < share;
  const part: Conditions = { filters: [], named: [], numbers: [...query.numbers] };
  for (const { at, sense } of draft.values) {
    const found = query.filters.find(
      ({ dimension, values }) => dimension === sense.dimension && values.includes(sense.value),
    );
    if (isAfter(at) && found && !part.filters.includes(found)) part.filters.push(found);
  }
  for (const { at, sense } of draft.filters) {
    const found = query.named.find(({ name }) => name === sense.name);
    if (isAfter(at) && found) part.named.push(found);
  }
  if (part.filters.length + part.named.length + part.numbers.length === 0) {
    settling.problems.push('a share needs the part that it is of');
    return;
  }
  query.share = 'of_whole';
  query.part = part;
  query.filters = query.filters.filter((one) => !part.filters.includes(one));
  query.named = query.named.filter((one) => !part.named.includes(one));
  query.numbers = [];
}
