import type { Measure } from '../../model/model.ts';
import type { DraftNumber, Mention } from '../draft-shape.ts';
import { countNameOf, measureOf, type Settling } from './settling.ts';

/** Makes a number a condition on single rows or on the figure of each group. */
export function addNumber(settling: Settling, number: DraftNumber): void {
  const { query, parts } = settling;
  const { is, value, words, at, isBare, sign } = number;
  const target = targetOf(settling, number) ?? earlierTarget(settling);
  if (!target) {
    settling.problems.push(`"${words}" compares nothing that is named`);
    return;
  }
  // "5-star reviews" are those with exactly 5; "customers with 3 orders" may have more.
  if (isBare && sign !== 'stars') settling.assumptions.push(`"${words}" is read as exactly ${value}`);
  parts.set(at, `number ${words}`);
  if (number.target) parts.set(number.target.at, `compared ${number.target.words}`);
  if ('column' in target) query.numbers.push({ column: target.column, is, value });
  else query.having.push({ measure: target.measure, is, value: asShareValue(settling, target.measure, number) });
}

/** "Over 400?": the number of the last question is replaced, or its figures are compared. */
function earlierTarget({ base, assumptions }: Settling): Target | undefined {
  if (!base) return undefined;
  const [number] = base.numbers;
  const [bound] = base.having;
  const [measure] = base.measures;
  assumptions.push('the number belongs to the last question');
  if (number && base.numbers.length === 1) return { column: number.column };
  if (bound && base.having.length === 1) return { measure: bound.measure };
  return measure && base.measures.length === 1 && base.dimensions.length > 0 ? { measure: measure.name } : undefined;
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
  const verb = draft.verbs.findLast(({ at }) => at < number.at) ?? draft.verbs[0];
  const isOther = draft.verbs.some(({ table }) => table !== verb?.table);
  if (number.isTimes && isOther && draft.periods.length > 0) return undefined;
  if (number.isTimes && verb) return having(countNameOf(settling, verb.table));
  // A number that nothing compares belongs to no measure before it: units in the three warehouses.
  const isFree = number.isBare && number.sign === undefined;
  const before = draft.mentions.findLast(({ at, sense }) => at < number.at && sense.kind === 'measure');
  const mention = number.target ?? (isFree ? undefined : before);
  if (mention?.sense.kind === 'noun') return having(countNameOf(settling, mention.sense.table));
  if (mention?.sense.kind === 'measure') {
    const measure = measureOf(settling, mention.sense);
    if (!measure) return undefined;
    if (measure.table !== subject || !isColumn(measure)) return having(measure.name);
    return isOfGroup(settling, measure) ? having(measure.name) : columnOf(measure);
  }
  const unit = { $: 'usd', '%': 'percent', days: 'days', stars: 'stars', times: 'times' }[number.sign ?? '%'];
  if (subject === undefined) return undefined;
  if (number.sign === undefined) return number.isBare ? undefined : moneyOf(settling, subject, number);
  const money = settling.views
    .flatMap(({ model }) => [...model.measures.values()])
    .filter((measure) => measure.table === subject && measure.unit === unit && isColumn(measure));
  const columns = new Set(money.map(({ expressions }) => expressions[0]));
  return columns.size === 1 && money[0] ? columnOf(money[0]) : undefined;
}

/** "Products over 200": the only price of the things that are named. */
function moneyOf(settling: Settling, subject: string, { words }: DraftNumber): Target | undefined {
  const { draft } = settling;
  const isPeople = settling.views.some(({ model }) => model.tables.get(subject)?.people);
  if (isPeople || draft.mentions.some(({ sense }) => sense.kind === 'measure')) return undefined;
  const money = settling.views
    .flatMap(({ model }) => [...model.measures.values()])
    .filter((measure) => measure.table === subject && measure.unit === 'usd' && isColumn(measure));
  if (new Set(money.map(({ expressions }) => expressions[0])).size !== 1 || !money[0]) return undefined;
  settling.assumptions.push(`"${words}" is taken as dollars`);
  return columnOf(money[0]);
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
