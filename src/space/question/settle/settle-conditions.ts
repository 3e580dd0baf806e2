import type { ValueFilter } from '../../../schema/data-query.ts';
import type { Measure, SpaceModel } from '../../model/model.ts';
import { findPaths, resolveDimension } from '../../model/resolve.ts';
import type { DraftValue } from '../draft-shape.ts';
import { addNumber } from './settle-numbers.ts';
import { entityNoun, measureOf, type Settling, viewOf } from './settling.ts';

/** Turns values, named filters and numbers into conditions. */
export function settleConditions(settling: Settling): void {
  const { draft, query } = settling;
  const values = draft.values.filter(({ at }) => !settling.parts.get(at)?.startsWith('measure only'));
  for (const value of values) addValue(settling, value);
  for (const { sense, negated, at, words } of draft.filters) {
    settling.parts.set(at, `condition ${negated ? 'not ' : ''}${sense.name}`);
    if (sense.isShort) settling.weak.push(words);
    const same = query.named.find((one) => one.name === sense.name);
    if (!same) query.named.push({ name: sense.name, negated });
    else if (same.negated !== negated) standBeside(settling, sense.name);
  }
  for (const { task, sense, at } of draft.mentions) {
    if (task !== 'missing' || sense.kind !== 'dimension') continue;
    query.filters.push({ dimension: sense.name, values: [], negated: false });
    settling.parts.set(at, `without a ${sense.name}`);
    settling.assumptions.push(`rows without any ${sense.name} are meant`);
  }
  checkWithin(settling);
  checkOwn(settling);
  checkScope(settling);
  for (const number of draft.numbers) addNumber(settling, number);
  joinValues(settling);
  settleWithout(settling);
}

/** "Abandoned versus completed": both sides of one condition are shown. */
function standBeside({ query, assumptions }: Settling, name: string): void {
  query.named = query.named.filter((one) => one.name !== name);
  query.share = 'beside_rest';
  query.part = { filters: [], named: [{ name, negated: false }], numbers: [] };
  assumptions.push(`${name} is shown beside the others`);
}

/** "Without Gold customers in the West": are they excluded everywhere, or there only? */
function checkScope({ draft, assumptions }: Settling): void {
  const excluded = draft.values.find(({ negated }) => negated);
  const isOpen = excluded && draft.values.some(({ at, negated }) => !negated && at > excluded.at);
  if (isOpen) assumptions.push(`only ${excluded.words} is excluded`);
}

/** "Churned customers and their churn rate": a rate of its own condition is always 100 percent. */
function checkOwn(settling: Settling): void {
  for (const one of settling.measures) {
    const measure = measureOf(settling, one);
    if (measure?.kind !== 'share') continue;
    const own = `${measure.table}.${measure.expressions[0]}`;
    const isOwn = settling.query.named.some(({ name }) =>
      settling.views.some(({ model }) => model.filters.get(name)?.columns?.includes(own)),
    );
    if (isOwn) settling.problems.push(`${measure.name} under its own condition`);
  }
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
  const words = draft.items.map((item) => (item.read ?? item.words).toLowerCase());
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
  const byRole = paths.filter((path) => path.some((join) => role !== undefined && join.words.includes(role)));
  // "How many units did the East Warehouse send": without a word of its own, the verb chooses.
  const said = settling.draft.items.map((item) => item.words.toLowerCase());
  const byVerb = paths.filter((path) =>
    path.some((join) => join.words.some((word) => said.includes(word) && !isRole(word))),
  );
  const chosen = byRole.length > 0 || byVerb.length !== 1 ? byRole : byVerb;
  const usual = paths.filter((path) => path.some((join) => join.usual));
  const fitting = chosen.length === 0 ? usual : chosen;
  const [only] = fitting;
  if (chosen.length === 0 && usual.length === 1)
    settling.assumptions.push(`"${words}" is taken as the ${only?.at(-1)?.role}`);
  if (fitting.length !== 1 || !only) {
    settling.problems.push(`"${words}" may be ${paths.map((path) => path.at(-1)?.role).join(' or ')}`);
    return sense.dimension;
  }
  const name = only.at(-1)?.role ?? '';
  return dimension.entity === undefined ? `${name} ${sense.dimension}` : name;
}

/** A preposition belongs to the value behind it, a verb to the whole question. */
function isRole(word: string): boolean {
  return ['to', 'into', 'from', 'out of'].includes(word);
}

/** Several values of one dimension: compared or listed ones are shown side by side, "or" joins them. */
function joinValues(settling: Settling): void {
  const { draft, query, assumptions } = settling;
  const named = new Set(draft.values.flatMap(({ sense }) => (sense.others?.length ? [sense.dimension] : [])));
  for (const filter of query.filters.filter(isSeveral).filter(({ dimension }) => !named.has(dimension))) {
    if (query.dimensions.includes(filter.dimension)) continue;
    if (draft.items.filter(isAsking).length > 1 || draft.markers.has('each') || draft.markers.has('rival')) {
      query.dimensions.push(filter.dimension);
      assumptions.push(`${filter.values.join(' and ')} are shown one by one`);
      continue;
    }
    if (draft.markers.has('share')) continue;
    if (draft.items.some(isTogether)) assumptions.push(`${filter.values.join(' and ')} are taken together`);
    else if (draft.markers.has('versus')) query.dimensions.push(filter.dimension);
    else if (draft.head === 'how_many' && !draft.markers.has('or') && !draft.markers.has('by'))
      assumptions.push(`${filter.values.join(' and ')} are taken together`);
    else if (!draft.markers.has('or')) {
      query.dimensions.push(filter.dimension);
      // "Compare East and West" asks for each of the two.
      if (
        filter.values.length > 2 ||
        !draft.items.some(isContrast) ||
        !settling.measures.some(({ mention }) => mention)
      )
        assumptions.push(`${filter.values.join(' and ')} are shown one by one`);
    } else if (draft.head !== 'how_many') assumptions.push(`${filter.values.join(' or ')} are taken together`);
  }
}

/** "How many in the East and how many in the North": each of them is asked for. */
function isAsking(item: Settling['draft']['items'][number]): boolean {
  return item.kind === 'function' && ['how_many', 'how_much', 'share'].includes(item.sense.kind);
}

export function isContrast({ words }: Settling['draft']['items'][number]): boolean {
  return /^compar/i.test(words);
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
  const lacking = noun?.sense.kind === 'measure' ? measureOf(settling, noun.sense) : undefined;
  const table = verb?.table ?? lacking?.table ?? (noun?.sense.kind === 'noun' ? noun.sense.table : undefined);
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
  else if (first && measure) moveConditions(settling, { space: first.space, entity: measure.table, table, lacking });
}

/** "Customers who never bought footwear": a condition that the customers do not have is one of the missing rows. */
function moveConditions(
  settling: Settling,
  { space, entity, table, lacking }: { space: string; entity: string; table: string; lacking: Measure | undefined },
): void {
  const { query } = settling;
  const model = settling.views.find((view) => view.model.space === space || view.model.tables.has(table))?.model;
  if (!model || !query.without) return;
  const isMoved = ({ dimension }: ValueFilter) =>
    !hasPlace(model, entity, dimension) && hasPlace(model, table, dimension);
  const moved = query.filters.filter(isMoved).map((filter) => ({ ...filter, negated: false }));
  const own = Object.entries(lacking?.where ?? {}).flatMap(([column, value]) => {
    const home = [...model.dimensions.values()].find(({ homes }) =>
      homes.some((one) => one.table === table && one.column === column),
    );
    return home ? [{ dimension: home.name, values: [String(value)], negated: false }] : [];
  });
  query.filters = query.filters.filter((filter) => !isMoved(filter));
  const filters = [...moved, ...own];
  if (filters.length === 0) return;
  query.without.filters = filters;
  settling.assumptions.push('the conditions belong to what is missing');
}

function hasPlace(model: SpaceModel, table: string, dimension: string): boolean {
  const found = resolveDimension(model, table, dimension);
  return found !== undefined && 'place' in found;
}
