import { resolveDimension } from '../../model/resolve.ts';
import type { Mention } from '../draft-shape.ts';
import { namesPiece } from './lift-weak.ts';
import { pickCount } from './pick-count.ts';
import { entityNoun, measureOf, type PickedMeasure, type Settling, tableNamed, viewOf } from './settling.ts';

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
  if (settling.draft.head !== 'how_many' || !namesPiece(settling)) settling.weak.push(hinted.words);
  return true;
}

/** Without a named measure: the counted values, the columns of a filter, the verb, or the only noun. */
export function pickImplied(settling: Settling): void {
  const { draft } = settling;
  const counted = draft.markers.has('how_many') || draft.markers.has('share');
  const [value] = draft.values;
  const nounOf = value && dimensionNoun(settling, value.sense.dimension);
  if (draft.mentions.length === 0 && value && pickHinted(settling, value.sense.dimension)) return;
  const [often] = draft.items.filter(({ words }) => /^how (?:often|many times)\b/i.test(words));
  const [event] = draft.verbs;
  if (often && event && !event.negated) {
    pickCount(settling, event.table);
    settling.assumptions.push(`"${event.words}" is counted in ${event.table}`);
    return;
  }
  if (counted && draft.mentions.length === 0 && nounOf !== undefined) {
    pickCount(settling, nounOf);
    if (value) settling.parts.set(value.at, `measure and filter ${value.sense.value}`);
    return;
  }
  if (pickFilteredRows(settling)) return;
  if (!counted && pickOfValue(settling)) return;
  const ofFilter = draft.filters.flatMap(({ sense }) => filterMeasures(settling, sense.name));
  if (ofFilter.length > 0) {
    settling.measures.push(...ofFilter);
    // Things for which a condition holds are listed; a group of them has some figure of it.
    const isList = draft.mentions.some(
      ({ task, sense }) => task === 'group' && sense.kind === 'noun' && sense.isEntity,
    );
    if (!isList) settling.assumptions.push(`${ofFilter.map(({ name }) => name).join(' and ')} is meant`);
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
    const isLimited =
      draft.filters.length + draft.numbers.length > 0 ||
      draft.verbs.some(({ negated }) => negated) ||
      draft.mentions.some(({ task }) => task === 'without' || task === 'missing');
    if (noun.task === 'loose' && isLimited && isListed(settling, noun)) {
      noun.task = 'group';
      settling.assumptions.push(`"${noun.words}" are listed`);
    }
    const isList = isLimited || draft.values.length > 0;
    if (!isList || noun.task !== 'group' || entityNoun(settling, noun.sense.table) === undefined)
      settling.assumptions.push(`"${noun.words}" is counted`);
    return;
  }
  if (pickNamed(settling)) return;
  settling.problems.push('it names nothing that is measured');
}

/** "Theft by store": the measure that a reason asks for. */
function pickOfValue(settling: Settling): boolean {
  const { draft, views } = settling;
  if (draft.mentions.some(({ task, sense }) => task === 'count' || (sense.kind === 'noun' && !sense.isEntity)))
    return false;
  for (const { sense } of draft.values)
    for (const { model } of views) {
      const name = model.dimensions.get(sense.dimension)?.measure;
      if (name === undefined || !model.measures.has(name)) continue;
      settling.measures.push({ name, space: model.space, aggregate: null, among: null });
      settling.assumptions.push(`${name} is meant`);
      return true;
    }
  return false;
}

/** "Positions below their reorder point": the rows that the condition is about are counted. */
function pickFilteredRows(settling: Settling): boolean {
  const { draft, views } = settling;
  const tables = draft.filters.flatMap(({ sense }) =>
    views.flatMap(({ model }) => {
      const { rows, where = '' } = model.filters.get(sense.name) ?? {};
      return /([a-z][a-z0-9_]*)\./.exec(rows ?? where)?.[1] ?? [];
    }),
  );
  const noun = draft.mentions.find(
    ({ sense }) => sense.kind === 'noun' && !sense.isEntity && !sense.isActor && tables.includes(sense.table),
  );
  if (noun?.sense.kind !== 'noun') return false;
  noun.task = 'count';
  pickCount(settling, noun.sense.table, noun);
  return true;
}

/** "Products under $40" asks for their names; "customers with 15 orders" for their number, because they are many. */
function isListed(settling: Settling, { sense }: Mention): boolean {
  const { draft } = settling;
  if (sense.kind !== 'noun' || !sense.isEntity || tableNamed(settling, sense.table)?.people) return false;
  return !['how_many', 'share', 'count_back', 'by', 'per', 'each', 'grain'].some(
    (kind) => draft.markers.has(kind as 'by'), // one of the markers
  );
}

const SIZE = /^(?:the )?(?:smallest|largest|biggest)$/i;

/** "Late receipts", "gold members by region", "the smallest segment": the things that the values are of are counted. */
function pickNamed(settling: Settling): boolean {
  const { draft } = settling;
  const isSize = draft.most === undefined || SIZE.test(mostWord(settling));
  const [value] = draft.values;
  const groups = draft.mentions.filter(({ task, sense }) => task !== 'bound' && sense.kind === 'dimension');
  if (draft.most && draft.most.word === 'most' && pickFrequent(settling, groups)) return true;
  const group = groups.find(
    ({ sense }) => sense.kind === 'dimension' && dimensionNoun(settling, sense.name) !== undefined,
  );
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

/** "Which theme comes up most": the events that have such a column are counted. */
function pickFrequent(settling: Settling, groups: readonly Mention[]): boolean {
  const { draft, views } = settling;
  const ranked = groups.findLast(({ by }) => by !== 'by' && by !== 'each') ?? groups.at(-1);
  if (ranked?.sense.kind !== 'dimension') return false;
  const { name } = ranked.sense;
  const homes = new Set(
    views.flatMap(({ model }) => model.dimensions.get(name)?.homes.map(({ table }) => table) ?? []),
  );
  const [only] = homes;
  const table = only === undefined || homes.size > 1 ? undefined : tableNamed(settling, only);
  const isEvent = table?.time !== undefined && table.label === undefined;
  if (
    !isEvent ||
    draft.light.some(
      (verb) => verb.table !== table.name && !draft.light.some((own) => own.at === verb.at && own.table === table.name),
    )
  )
    return false;
  pickCount(settling, table.name);
  settling.assumptions.push(`${table.names[0] ?? table.name} are counted`);
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
