import { canReach, resolveDimension } from '../../model/resolve.ts';
import type { Mention } from '../draft-shape.ts';
import { isPerUnit, isSmall } from '../draft-walk.ts';
import { isSummed, promotePer, roleOf, settlePer } from './settle-per.ts';
import { countNameOf, entityNoun, measureOf, type Settling, viewOf } from './settling.ts';

/** Finds what the figures are shown for: named groups, "who", or the noun beside "the most". */
export function settleGroups(settling: Settling): void {
  const { draft, query } = settling;
  promoteLoose(settling);
  promoteRanked(settling);
  for (const mention of draft.mentions.filter(({ task }) => task === 'group')) addGroup(settling, mention);
  if (query.dimensions.length === 0 && draft.asks === 'person') addPeople(settling);
  if (query.dimensions.length === 0 && draft.asksObject) addTopic(settling);
  if (query.dimensions.length === 0 && draft.asks === 'thing' && draft.most && !draft.grain) addSold(settling);
  const isWhat = draft.asksWhat && draft.mentions.length === 0 && !draft.grain;
  if (query.dimensions.length === 0 && isWhat && draft.filters.length > 0) addFiltered(settling);
  promotePer(settling);
  const per = draft.mentions.find(({ task }) => task === 'per');
  if (per) settlePer(settling, per);
  if (draft.grain && isPerUnit(draft) && settling.measures.every((one) => isSummed(settling, one))) {
    query.per = draft.grain.grain;
    settling.assumptions.push(`the average runs over each ${draft.grain.grain} of the period`);
  } else if (draft.grain) {
    query.grain = draft.grain.grain;
    const isPer = /^(?:per|a)\b/i.test(draft.grain.words) && ['day', 'week'].includes(draft.grain.grain);
    if (isPer && !draft.most) settling.assumptions.push(`one figure for each ${draft.grain.grain}, not an average`);
    // "each month" with a ranking asks for the first of every month.
  } else if (draft.asks === 'time') {
    query.grain = 'month';
    settling.assumptions.push('"when" is answered by month');
  }
  if (draft.asks === 'place' && query.dimensions.length === 0) settling.problems.push('"where" by which place?');
  checkLoose(settling);
  checkLight(settling);
  checkVerbs(settling);
  checkQualified(settling);
}

/** "Customer region" must be the region of the customers, not of another table. */
function checkQualified(settling: Settling): void {
  for (const { sense, words } of settling.draft.mentions) {
    if (sense.kind !== 'dimension' || sense.of === undefined) continue;
    const isOther = settling.measures.some((one) => {
      const view = viewOf(settling, one.space);
      const table = one.among ?? measureOf(settling, one)?.table ?? '';
      const found = view && resolveDimension(view.model, table, sense.name);
      return !found || !('place' in found) || found.place.table !== sense.of;
    });
    if (isOther)
      settling.problems.push(
        `"${words}" does not belong to ${settling.measures.map(({ name }) => name).join(' and ')}`,
      );
  }
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

/** A verb that chose neither the measure nor a condition must be about the rows of the measure. */
function checkVerbs(settling: Settling): void {
  const { draft, measures, query, parts } = settling;
  if (query.having.length > 0 || draft.numbers.length > 0) return;
  for (const { at, words, table, negated } of draft.verbs) {
    if (negated || parts.has(at) || measures.some((one) => belongs(settling, one, { table }))) continue;
    settling.problems.push(`"${words}" does not belong to ${measures.map(({ name }) => name).join(' and ')}`);
  }
}

/** "Products with the highest revenue": a noun without a task is the group, if a ranking or a condition needs one. */
function promoteLoose(settling: Settling): void {
  const { draft, measures } = settling;
  const hasGroup = draft.mentions.some(({ task }) => task === 'group') || draft.asks === 'person';
  if (draft.markers.has('share') && draft.most === undefined) return;
  const needsGroup = draft.most !== undefined || draft.mentions.some(({ task }) => task === 'having');
  const isAsked = measures.some(({ mention }) => mention?.sense.kind === 'noun' && mention.by === 'how_many');
  if (hasGroup || !needsGroup || isAsked) return;
  const loose = draft.mentions.find(({ task, sense }) => task === 'loose' && sense.kind !== 'measure');
  // "Customers with more than 15 orders" are counted, unless they are asked for by name.
  const isCounted = measures.some(({ mention, name }) => !mention && name === countOf(settling, loose));
  if (loose && !(isCounted && draft.most === undefined)) loose.task = 'group';
}

function countOf(settling: Settling, mention: Mention | undefined): string | undefined {
  return mention?.sense.kind === 'noun' ? countNameOf(settling, mention.sense.table) : undefined;
}

/** "The most expensive product in every category": the noun behind the superlative is ranked in each group. */
function promoteRanked({ draft }: Settling): void {
  const { most } = draft;
  const groups = draft.mentions.filter(({ task }) => task === 'group');
  if (!most || groups.length === 0 || groups.some(({ by }) => by !== 'by' && by !== 'each')) return;
  const things = draft.mentions.filter(({ sense }) => sense.kind !== 'measure');
  const next = things.find(({ at, task }) => at > most.at && task === 'loose');
  if (next) next.task = 'group';
  // "In each region, the two locations with the most …"
  const before = things.findLast(({ at, task }) => at < most.at && task === 'loose');
  if (!next && before) before.task = 'group';
}

/** "What is out of stock?": the things for which the condition holds. */
function addFiltered(settling: Settling): void {
  const { draft, query, views } = settling;
  const [first] = draft.filters;
  const model = views.find((view) => view.model.filters.has(first?.sense.name ?? ''))?.model;
  const { of, rows = '' } = model?.filters.get(first?.sense.name ?? '') ?? {};
  const table = of ?? model?.tables.get(rows.split('.')[0] ?? '')?.joins[0]?.table;
  const noun = table === undefined ? undefined : entityNoun(settling, table);
  if (noun === undefined) return;
  query.dimensions.push(noun);
  settling.assumptions.push(`each ${noun} is listed`);
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

function tableOf({ sense }: Mention): string | undefined {
  return sense.kind === 'noun' ? sense.table : undefined;
}

/** "What sold best in July": the things whose kinds are pieces. */
function addSold(settling: Settling): void {
  const { measures, query, draft, views } = settling;
  const isVerb = measures.every(
    ({ mention }) => mention?.sense.kind === 'measure' && mention.sense.strength === 'verb',
  );
  if (!isVerb || draft.mentions.some(({ sense }) => sense.kind !== 'measure')) return;
  const pieces = views.flatMap(({ model }) => [...model.dimensions.values()].filter((one) => one.pieces));
  const noun = pieces[0]?.nounOf === undefined ? undefined : entityNoun(settling, pieces[0].nounOf);
  if (noun === undefined) return;
  query.dimensions.push(noun);
  settling.assumptions.push(`each ${noun} is ranked`);
}

function addPeople(settling: Settling): void {
  const people = settling.views.flatMap(({ model }) => [...model.tables.values()].filter((table) => table.people));
  const noun = people[0] && entityNoun(settling, people[0].name);
  if (noun === undefined) settling.problems.push('"who": there are no people in the data');
  else settling.query.dimensions.push(noun);
}

/** "What do they complain about most": the first places. */
const TOPICS = 5;

function addTopic(settling: Settling): void {
  const [first] = settling.measures;
  const topic = first && measureOf(settling, first)?.topic;
  if (!first || topic === undefined) return;
  settling.query.dimensions.push(topic);
  settling.query.order = { by: first.name, direction: 'highest' };
  if (settling.draft.most) settling.query.limit = TOPICS;
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
    const isOfAll = settling.measures.every((one) => belongs(settling, one, sense));
    if (isOfAll || isOfLast(settling, mention)) parts.set(at, `rows of ${sense.table}`);
    else
      settling.problems.push(
        `"${words}" does not belong to ${settling.measures.map(({ name }) => name).join(' and ')}`,
      );
  }
}

/** "Lost revenue from stockouts and sales": the noun belongs to the measure right before it. */
function isOfLast(settling: Settling, { at, sense }: Mention): boolean {
  const before = settling.measures.filter(({ mention }) => mention !== undefined && mention.at < at);
  const last = before.toSorted((a, b) => (b.mention?.at ?? 0) - (a.mention?.at ?? 0))[0];
  if (!last?.mention || sense.kind !== 'noun' || !settling.draft.items.slice(last.mention.at + 1, at).every(isSmall))
    return false;
  return belongs(settling, last, sense);
}

function belongs(settling: Settling, one: Settling['measures'][number], { table }: { table: string }): boolean {
  const view = viewOf(settling, one.space);
  const own = one.among ?? measureOf(settling, one)?.table ?? '';
  return view !== undefined && (own === table || canReach(view.model, own, table));
}
