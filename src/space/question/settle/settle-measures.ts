import { canReach, resolveDimension } from '../../model/resolve.ts';
import type { Mention } from '../draft-shape.ts';
import {
  countNameOf,
  entityNoun,
  measureOf,
  type PickedMeasure,
  type Settling,
  tableNamed,
  viewOf,
} from './settling.ts';

/** Finds what is measured: named measures, counted nouns, or what a filter or verb is about. */
export function settleMeasures(settling: Settling): void {
  const { draft } = settling;
  for (const mention of draft.mentions) {
    const { sense, task } = mention;
    const isMeasure = sense.kind === 'measure' && (task === 'measure' || task === 'loose');
    if (isMeasure && !isComparedVerb(settling, mention)) pickMeasure(settling, mention);
    if (sense.kind === 'noun' && sense.isActor && task !== 'loose')
      settling.problems.push(`"${mention.words}" can be named here, but not counted or listed`);
    else if (sense.kind === 'noun' && task === 'count') pickCount(settling, sense.table, mention);
    if (sense.kind === 'dimension' && task === 'count')
      settling.problems.push(`counting "${mention.words}" is not possible`);
  }
  if (settling.measures.length === 0) pickCompared(settling);
  if (settling.measures.length === 0) pickImplied(settling);
  if (settling.measures.length > 1) {
    const named = settling.measures.flatMap(({ mention }) => mention ?? []);
    const isImplied = named.length === 0;
    if (isOfRanked(settling)) settling.assumptions.push('the ranking chooses the things, the other figure is theirs');
    else if (!isImplied && !draft.markers.has('and'))
      settling.problems.push(
        `${settling.measures.map(({ name }) => `"${name}"`).join(' beside ')} without "and" between them`,
      );
  }
}

/** "The ratings of the 5 best products by revenue": a second figure of the things that a ranking finds. */
function isOfRanked({ draft, measures }: Settling): boolean {
  const isRanking = ({ mention }: PickedMeasure) =>
    mention?.by === 'by' || (mention?.sense.kind === 'measure' && mention.sense.end !== undefined);
  return draft.most !== undefined && measures.length === 2 && measures.filter(isRanking).length === 1;
}

/** "Which products have revenue above $4,000": the compared measure is shown too. */
function pickCompared(settling: Settling): void {
  const isCounted = settling.draft.markers.has('how_many') || settling.draft.markers.has('share');
  const compared = settling.draft.mentions.filter(({ task, sense }) => task === 'having' && sense.kind === 'measure');
  if (!isCounted) for (const mention of compared) pickMeasure(settling, mention);
}

/** "How many products sold fewer than 120 units": the verb says the same as the figure that is compared. */
function isComparedVerb({ draft }: Settling, { sense }: Mention): boolean {
  const isCounted = draft.mentions.some(({ task }) => task === 'count');
  return (
    isCounted &&
    sense.kind === 'measure' &&
    sense.strength === 'verb' &&
    draft.mentions.some(
      ({ task, sense: other }) => task === 'having' && other.kind === 'measure' && other.name === sense.name,
    )
  );
}

function pickMeasure(settling: Settling, mention: Mention): void {
  const { sense } = mention;
  if (sense.kind !== 'measure') return;
  const { name, space, strength } = sense;
  settling.parts.set(mention.at, `measure ${name}`);
  const known = settling.measures.find((one) => one.name === name && one.space === space);
  if (known) {
    // A name beside a verb or short form of the same measure makes both sure.
    if (strength === 'name') {
      settling.weak = settling.weak.filter((word) => word !== known.mention?.words);
      known.mention = mention;
    }
    known.aggregate ??= aggregateOf(settling, mention);
    return;
  }
  if (strength !== 'name') settling.weak.push(mention.words);
  settling.measures.push({ name, space, mention, aggregate: aggregateOf(settling, mention), among: null });
}

/** "Average" and "total" are part of the measure, or change how its rows are combined. */
function aggregateOf(settling: Settling, mention: Mention): PickedMeasure['aggregate'] {
  const { sense } = mention;
  const measure = sense.kind === 'measure' ? measureOf(settling, sense) : undefined;
  if (!measure) return null;
  if (mention.average && measure.kind === 'sum') {
    const isPer = settling.draft.mentions.some(({ task }) => task === 'per');
    if (isPer) return null;
    settling.assumptions.push(
      `the average of ${measure.name} is taken over single ${measure.table.replaceAll('_', ' ')}`,
    );
    return 'average';
  }
  if (mention.total && (measure.kind === 'average' || measure.kind === 'share' || measure.kind === 'ratio')) {
    if (measure.kind === 'average' && measure.unit === 'usd') return 'total';
    settling.assumptions.push(`${measure.name} is an average, not a total`);
  }
  return null;
}

function pickCount(settling: Settling, table: string, mention?: Mention): void {
  const name = countNameOf(settling, table);
  if (name === undefined) {
    settling.problems.push(`rows of ${table} cannot be counted`);
    return;
  }
  if (mention) settling.parts.set(mention.at, `measure ${name}`);
  if (mention?.sense.kind === 'noun' && mention.sense.isShort) settling.weak.push(mention.words);
  if (mention?.average && !settling.draft.mentions.some(({ task }) => task === 'per'))
    settling.problems.push(`an average of ${name} needs "per"`);
  const spaces = settling.views.filter(({ model }) => model.tables.has(table)).map(({ model }) => model.space);
  settling.measures.push({ name, space: spaces[0] ?? '', mention, aggregate: null, among: null });
}

/** "How many Aspen Boots do we have": the measure that the words speak for, if such things are measured there. */
function pickHinted(settling: Settling, dimension: string): boolean {
  const hinted = settling.draft.items.find((item) => item.kind === 'content' && item.sense.kind === 'hint');
  if (hinted?.kind !== 'content' || hinted.sense.kind !== 'hint') return false;
  const { space, name } = hinted.sense;
  const view = viewOf(settling, space);
  const table = measureOf(settling, hinted.sense)?.table;
  const found = view && table !== undefined && resolveDimension(view.model, table, dimension);
  if (!found || !('place' in found)) return false;
  settling.measures.push({ name, space, aggregate: null, among: null });
  settling.weak.push(hinted.words);
  return true;
}

/** Without a named measure: the counted values, the columns of a filter, the verb, or the only noun. */
function pickImplied(settling: Settling): void {
  const { draft } = settling;
  const counted = draft.markers.has('how_many') || draft.markers.has('share');
  const [value] = draft.values;
  const nounOf = value && dimensionNoun(settling, value.sense.dimension);
  if (draft.mentions.length === 0 && value && pickHinted(settling, value.sense.dimension)) return;
  if (counted && draft.mentions.length === 0 && nounOf !== undefined) {
    pickCount(settling, nounOf);
    if (value) settling.parts.set(value.at, `measure and filter ${value.sense.value}`);
    return;
  }
  const ofFilter = draft.filters.flatMap(({ sense }) => filterMeasures(settling, sense.name));
  if (ofFilter.length > 0) {
    settling.measures.push(...ofFilter);
    return;
  }
  const grouped = draft.mentions.find(({ task, sense }) => task === 'group' && sense.kind === 'noun');
  const [verb] = draft.verbs;
  if (verb && !verb.negated && (draft.most || draft.numbers.length > 0 || !grouped)) {
    pickCount(settling, verb.table);
    if (!draft.numbers.some(({ isTimes }) => isTimes))
      settling.assumptions.push(`"${verb.words}" is counted in ${verb.table}`);
    return;
  }
  if (draft.most && grouped) {
    settling.problems.push(`"${mostWord(settling)}" by which measure?`);
    return;
  }
  const noun = grouped ?? draft.mentions.find(({ sense }) => sense.kind === 'noun');
  if (noun?.sense.kind === 'noun') {
    pickCount(settling, noun.sense.table, entityNoun(settling, noun.sense.table) === undefined ? noun : undefined);
    const isList =
      draft.filters.length + draft.values.length + draft.numbers.length > 0 ||
      draft.verbs.some(({ negated }) => negated);
    if (!isList || noun.task !== 'group' || entityNoun(settling, noun.sense.table) === undefined)
      settling.assumptions.push(`"${noun.words}" is counted`);
    return;
  }
  if (pickNamed(settling)) return;
  settling.problems.push('it names nothing that is measured');
}

const SIZE = /^(?:the )?(?:smallest|largest|biggest)$/i;

/** "Late receipts", "gold members by region", "the smallest segment": the things that the values are of are counted. */
function pickNamed(settling: Settling): boolean {
  const { draft } = settling;
  const isSize = draft.most === undefined || SIZE.test(mostWord(settling));
  const [value] = draft.values;
  const group = draft.mentions.find(({ task, sense }) => task !== 'bound' && sense.kind === 'dimension');
  const dimension =
    value?.sense.dimension ?? (draft.most && group?.sense.kind === 'dimension' ? group.sense.name : undefined);
  const table = dimension === undefined ? undefined : dimensionNoun(settling, dimension);
  const isName =
    value !== undefined && settling.views.some(({ model }) => model.dimensions.get(value.sense.dimension)?.entity);
  if (table === undefined || !isSize || isName) return false;
  pickCount(settling, table);
  settling.assumptions.push(`"${value?.words ?? group?.words}" asks for the number of ${table.replaceAll('_', ' ')}`);
  return true;
}

function mostWord({ draft }: Settling): string {
  const item = draft.most && draft.items[draft.most.at];
  return item?.words ?? 'most';
}

function dimensionNoun({ views }: Settling, dimension: string): string | undefined {
  return views.map(({ model }) => model.dimensions.get(dimension)?.nounOf).find((noun) => noun !== undefined);
}

/** "Below their reorder point" is about the two columns that it compares. */
function filterMeasures(settling: Settling, name: string): PickedMeasure[] {
  for (const { model } of settling.views) {
    const filter = model.filters.get(name);
    const text = filter?.rows ?? filter?.where;
    if (text === undefined) continue;
    const columns = [...text.matchAll(/([a-z][a-z0-9_]*)\.(\w+)/g)].map(([, table = '', column = '']) => ({
      table,
      column,
    }));
    return columns.flatMap(({ table, column }) => {
      const measure = [...model.measures.values()].find(
        (one) => one.table === table && one.kind === 'sum' && one.expressions[0] === column,
      );
      return measure ? [{ name: measure.name, space: model.space, aggregate: null, among: null }] : [];
    });
  }
  return [];
}

/** Of the spaces that have the counted table, the one that has the conditions too. */
function viewWithFilters({ views, query }: Settling, { name, space }: PickedMeasure) {
  const has = ({ model }: Settling['views'][number]) =>
    model.measures.has(name) && query.named.every((filter) => model.filters.has(filter.name));
  return views.find(has) ?? views.find(({ model }) => model.space === space);
}

/** With a location named, a product is one row of its stock; without one it may be several. */
function isPinned({ draft, views }: Settling, counted: string): boolean {
  const isOther = (dimension: string) =>
    views.some(({ model }) => {
      const entity = model.dimensions.get(dimension)?.entity;
      return entity !== undefined && entity !== counted;
    });
  return (
    draft.values.some(({ sense }) => isOther(sense.dimension)) ||
    draft.mentions.some(({ sense }) => sense.kind === 'noun' && sense.isEntity && sense.table !== counted)
  );
}

/** A count of an entity in another table, where a verb or a condition belongs to that table: customers who bought. */
export function settleAmong(settling: Settling): void {
  const [first] = settling.measures;
  if (!first || settling.measures.length > 1) return;
  const measure = measureOf(settling, first);
  if (!measure?.isRowCount) return;
  const view = viewWithFilters(settling, first);
  if (!view) return;
  const rows = settling.query.named.map(({ name }) => view.model.filters.get(name)?.rows?.split('.')[0]);
  const fact = rows.find(
    (table) => table !== undefined && table !== measure.table && canReach(view.model, table, measure.table),
  );
  if (fact !== undefined) {
    first.among = fact;
    if (!isPinned(settling, measure.table))
      settling.assumptions.push(`each of the ${measure.unit} counts once, however often it is so in ${fact}`);
  }
  const verbs = settling.draft.verbs.filter(({ negated, table }) => !negated && table !== measure.table);
  for (const { table, words, at } of verbs) {
    if (settling.query.having.length > 0) continue;
    if (canReach(view.model, table, measure.table)) {
      first.among = table;
      settling.parts.set(at, `among ${table}`);
    } else if (!canReach(view.model, measure.table, table)) {
      settling.problems.push(
        `"${words}" does not belong to ${tableNamed(settling, measure.table)?.names[0] ?? measure.table}`,
      );
    }
  }
}
