import type { Period } from '../../../schema/data-query.ts';
import { canReach } from '../../model/resolve.ts';
import type { Mention } from '../draft-shape.ts';
import { startOf } from '../words/calendar.ts';
import { entityNoun, measureOf, type Settling, tableNamed, viewOf } from './settling.ts';

/** Finds what the figures are shown for: named groups, "who", or the noun beside "the most". */
export function settleGroups(settling: Settling): void {
  const { draft, query } = settling;
  promoteLoose(settling);
  promoteRanked(settling);
  for (const mention of draft.mentions.filter(({ task }) => task === 'group')) addGroup(settling, mention);
  if (query.dimensions.length === 0 && draft.asks === 'person') addPeople(settling);
  if (query.dimensions.length === 0 && draft.asksObject) addTopic(settling);
  const per = draft.mentions.find(({ task }) => task === 'per');
  if (per) settlePer(settling, per);
  if (draft.grain) {
    query.grain = draft.grain.grain;
    // "each month" with a ranking asks for the first of every month.
  } else if (draft.asks === 'time') {
    query.grain = 'month';
    settling.assumptions.push('"when" is answered by month');
  }
  if (draft.asks === 'place' && query.dimensions.length === 0) settling.problems.push('"where" by which place?');
  checkLoose(settling);
  checkLight(settling);
}

/** A light verb adds nothing beside the rows of its own table; elsewhere it says something that is not computed. */
function checkLight(settling: Settling): void {
  for (const { at, words, table } of settling.draft.light) {
    const isNamed = settling.draft.mentions.some(({ sense }) => sense.kind === 'noun' && sense.table === table);
    if (isNamed || settling.measures.some((one) => belongs(settling, one, { table })))
      settling.parts.set(at, `rows of ${table}`);
    else
      settling.problems.push(
        `"${words}" does not belong to ${settling.measures.map(({ name }) => name).join(' and ')}`,
      );
  }
}

/** "Products with the highest revenue": a noun without a task is the group, if a ranking or a condition needs one. */
function promoteLoose({ draft, measures }: Settling): void {
  const hasGroup = draft.mentions.some(({ task }) => task === 'group') || draft.asks === 'person';
  const needsGroup = draft.most !== undefined || draft.mentions.some(({ task }) => task === 'having');
  const isCounted = measures.some(({ mention }) => mention?.sense.kind === 'noun' && mention.by === 'how_many');
  if (hasGroup || !needsGroup || isCounted) return;
  const loose = draft.mentions.find(({ task, sense }) => task === 'loose' && sense.kind !== 'measure');
  if (loose) loose.task = 'group';
}

/** "The most expensive product in every category": the noun behind the superlative is ranked in each group. */
function promoteRanked({ draft }: Settling): void {
  const { most } = draft;
  const groups = draft.mentions.filter(({ task }) => task === 'group');
  if (!most || groups.length === 0 || groups.some(({ by }) => by !== 'by' && by !== 'each')) return;
  const next = draft.mentions.find(({ at, sense }) => at > most.at && sense.kind !== 'measure');
  if (next?.task === 'loose') next.task = 'group';
}

function addGroup(settling: Settling, mention: Mention): void {
  const { query, parts } = settling;
  const { sense, words, at } = mention;
  const name =
    sense.kind === 'dimension' ? sense.name : sense.kind === 'noun' ? entityNoun(settling, sense.table) : undefined;
  if (name === undefined) {
    const isOwn = settling.measures.some(
      (one) => one.mention === mention || measureOf(settling, one)?.table === tableOf(mention),
    );
    if (!isOwn) settling.problems.push(`"${words}" cannot be grouped by`);
    return;
  }
  const role = roleOf(settling, name);
  parts.set(at, `group ${role}`);
  if (!query.dimensions.includes(role)) query.dimensions.push(role);
}

/** Where several joins lead to an entity, a word of one of them chooses: units received at each store. */
function roleOf({ draft, views, measures }: Settling, name: string): string {
  const [first] = measures;
  const model = views.find((view) => view.model.space === first?.space)?.model;
  const entity = model?.dimensions.get(name)?.entity;
  const table = first?.among ?? model?.measures.get(first?.name ?? '')?.table ?? '';
  const joins = (model?.tables.get(table)?.joins ?? []).filter((join) => join.table === entity);
  const words = draft.items.map((item) => item.words.toLowerCase());
  const fitting = joins.filter((join) => words.some((word) => join.words.includes(word)));
  return joins.length > 1 && fitting.length === 1 ? (fitting[0]?.role ?? name) : name;
}

function tableOf({ sense }: Mention): string | undefined {
  return sense.kind === 'noun' ? sense.table : undefined;
}

function addPeople(settling: Settling): void {
  const people = settling.views.flatMap(({ model }) => [...model.tables.values()].filter((table) => table.people));
  const noun = people[0] && entityNoun(settling, people[0].name);
  if (noun === undefined) settling.problems.push('"who": there are no people in the data');
  else settling.query.dimensions.push(noun);
}

function addTopic(settling: Settling): void {
  const [first] = settling.measures;
  const topic = first && measureOf(settling, first)?.topic;
  if (!first || topic === undefined) return;
  settling.query.dimensions.push(topic);
  settling.query.order = { by: first.name, direction: 'highest' };
  settling.query.limit = DEFAULT_LIMIT;
}

/** "Per category" groups. "Per customer" divides; without "average" it may also mean a group. */
function settlePer(settling: Settling, mention: Mention): void {
  const { query, draft, assumptions, parts } = settling;
  const { sense, words, at } = mention;
  const noun = sense.kind === 'noun' ? (tableNamed(settling, sense.table)?.names[0] ?? '') : undefined;
  if (sense.kind === 'dimension') {
    parts.set(at, `group ${sense.name}`);
    if (!query.dimensions.includes(sense.name)) query.dimensions.push(sense.name);
    if (draft.markers.has('average')) assumptions.push(`one average for each ${sense.name}`);
    return;
  }
  if (noun === undefined || entityNoun(settling, sense.kind === 'noun' ? sense.table : '') === undefined) {
    settling.problems.push(`"per ${words}" is not possible`);
    return;
  }
  parts.set(at, `per ${noun}`);
  query.per = noun;
  const isPeople = sense.kind === 'noun' && tableNamed(settling, sense.table)?.people;
  if (!draft.markers.has('average') && !isPeople) {
    query.per = null;
    if (!query.dimensions.includes(noun)) query.dimensions.push(noun);
    assumptions.push(`one figure for each ${noun}, not an average`);
  } else if (!draft.markers.has('average')) assumptions.push(`an average per ${noun}, not one figure for each ${noun}`);
  else assumptions.push(`the average runs over each ${noun} with rows`);
}

/** A noun without a task must belong to the measure's rows, or it asks for something that is not computed. */
function checkLoose(settling: Settling): void {
  const { draft, query, parts } = settling;
  for (const mention of draft.mentions) {
    if (mention.task !== 'loose' || mention.sense.kind === 'measure') {
      if (mention.task === 'bound') parts.set(mention.at, `column ${mention.words}`);
      continue;
    }
    const { sense, words, at } = mention;
    if (sense.kind === 'dimension') {
      const { name } = sense;
      const isUsed = query.dimensions.includes(name) || query.filters.some(({ dimension }) => dimension === name);
      if (!isUsed) {
        query.dimensions.push(name);
        settling.assumptions.push(`one figure for each ${name}`);
      }
      parts.set(at, `group ${name}`);
      continue;
    }
    if (settling.measures.every((one) => belongs(settling, one, sense))) parts.set(at, `rows of ${sense.table}`);
    else
      settling.problems.push(
        `"${words}" does not belong to ${settling.measures.map(({ name }) => name).join(' and ')}`,
      );
  }
}

function belongs(settling: Settling, one: Settling['measures'][number], { table }: { table: string }): boolean {
  const view = viewOf(settling, one.space);
  const own = one.among ?? measureOf(settling, one)?.table ?? '';
  return view !== undefined && (own === table || canReach(view.model, own, table));
}

const DEFAULT_LIMIT = 10;

/** The ranking: by which measure, from which end, and how many rows. */
export function settleOrder(settling: Settling): void {
  const { draft, query, measures } = settling;
  const { most } = draft;
  if (!most) {
    if (draft.limit !== undefined) settling.problems.push(`"${draft.limit}" has no place in it`);
    return;
  }
  const ranked =
    measures.find(({ mention }) => mention?.by === 'by') ??
    measures.find(({ mention }) => (mention?.at ?? -1) >= most.at) ??
    measures[0];
  if (!ranked) return;
  if (query.dimensions.length === 0 && !query.grain) {
    settling.problems.push(`"${draft.items[most.at]?.words}" of what?`);
    return;
  }
  const direction = directionOf(settling, ranked);
  query.order = { by: ranked.name, direction };
  const group = draft.mentions.findLast(({ task }) => task === 'group');
  const isSingle = group ? !group.isPlural : true;
  query.limit = draft.limit ?? (isSingle ? 1 : DEFAULT_LIMIT);
  settleWithin(settling);
}

function directionOf(settling: Settling, ranked: Settling['measures'][number]): 'highest' | 'lowest' {
  const { most } = settling.draft;
  if (!most) return 'highest';
  if (most.word !== 'best') return most.direction;
  const good = measureOf(settling, ranked)?.good;
  if (good === undefined)
    settling.problems.push(`which end of ${ranked.name} is "${settling.draft.items[most.at]?.words}"?`);
  return (good === 'down') === (most.direction === 'highest') ? 'lowest' : 'highest';
}

/** "The best category each month", "the top product in each category": the limit holds within the other group. */
function settleWithin(settling: Settling): void {
  const { draft, query } = settling;
  if (query.grain && query.dimensions.length === 1) {
    query.limit_within = 'time';
    return;
  }
  const each = draft.mentions.find(({ task, by }) => task === 'group' && (by === 'each' || by === 'by'));
  if (query.dimensions.length !== 2 || !each) return;
  const name =
    each.sense.kind === 'dimension'
      ? each.sense.name
      : each.sense.kind === 'noun'
        ? entityNoun(settling, each.sense.table)
        : undefined;
  if (name === undefined) return;
  query.limit_within = name;
  query.dimensions = [name, ...query.dimensions.filter((one) => one !== name)];
}

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
  if (own.length === 2 && second && draft.markers.has('and') && compared.length === 0) {
    query.compare = first?.period ?? null;
    query.period = second.period;
    assumptions.push('the two periods are shown side by side');
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
  if (draft.isNow && !query.period) checkNow(settling);
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
      continue;
    }
    if (table.time === undefined) settling.problems.push(`${measure.name} has no dates`);
    else if (table.label !== undefined && !draft.verbs.some((verb) => verb.table === table.name))
      settling.assumptions.push(`the period is the ${table.time.replaceAll('_', ' ')}`);
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
