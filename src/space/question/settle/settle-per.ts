import type { Mention } from '../draft-shape.ts';
import { entityNoun, measureOf, type Settling, tableNamed } from './settling.ts';

/** "How many orders does a customer place on average", "an average Gold customer": the average runs over the thing. */
export function promotePer(settling: Settling): void {
  const { draft, measures } = settling;
  const isPlain = measures.every((one) => isSummed(settling, one) && one.aggregate === null);
  if (!draft.markers.has('average') || !isPlain || draft.grain || draft.mentions.some(({ task }) => task === 'per'))
    return;
  const single = draft.mentions.find(
    ({ task, sense, isPlural, at }) =>
      task === 'loose' &&
      sense.kind === 'noun' &&
      !sense.isActor &&
      !isPlural &&
      isIndefinite(draft.items[at - 1]?.words),
  );
  const before = draft.items[(single?.at ?? 0) - 1];
  const isOne = single && (before?.kind !== 'content' || before.sense.kind === 'value');
  if (isOne) single.task = 'per';
}

function isIndefinite(words: string | undefined): boolean {
  return words !== undefined && !/^(?:the|our|all|this|that)$/i.test(words);
}

/** "Per category" groups. "Per customer" divides; without "average" it may also mean a group. */
export function settlePer(settling: Settling, mention: Mention): void {
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
    const [first] = settling.measures;
    const measure = first && measureOf(settling, first);
    const isRow = sense.kind === 'noun' && measure?.table === sense.table && measure.kind === 'sum';
    if (!first || !isRow || settling.measures.length > 1) settling.problems.push(`"per ${words}" is not possible`);
    // "Units lost per stockout": the average over single rows.
    else {
      first.aggregate = 'average';
      parts.set(at, `per ${noun}`);
      assumptions.push(`the average runs over each ${noun}`);
    }
    return;
  }
  parts.set(at, `per ${noun}`);
  query.per = noun;
  const isPeople = sense.kind === 'noun' && tableNamed(settling, sense.table)?.people;
  if (!draft.markers.has('average') && !isPeople) {
    query.per = null;
    const group = roleOf(settling, noun);
    if (!query.dimensions.includes(group)) query.dimensions.push(group);
    assumptions.push(`one figure for each ${noun}, not an average`);
  } else if (!draft.markers.has('average')) assumptions.push(`an average per ${noun}, not one figure for each ${noun}`);
  else assumptions.push(`the average runs over each ${noun} with rows`);
}

export function isSummed(settling: Settling, one: Settling['measures'][number]): boolean {
  const measure = measureOf(settling, one);
  return measure !== undefined && ['sum', 'count'].includes(measure.kind) && !measure.isLevel;
}

/** Where several joins lead to an entity, a word of one of them chooses: units received at each store. */
export function roleOf({ draft, views, measures, assumptions }: Settling, name: string): string {
  const [first] = measures;
  const model = views.find((view) => view.model.space === first?.space)?.model;
  const entity = model?.dimensions.get(name)?.entity;
  const table = first?.among ?? model?.measures.get(first?.name ?? '')?.table ?? '';
  const joins = (model?.tables.get(table)?.joins ?? []).filter((join) => join.table === entity);
  const words = draft.items.map((item) => item.words.toLowerCase());
  const fitting = joins.filter((join) => words.some((word) => join.words.includes(word)));
  if (joins.length < 2) return name;
  const [usual] = fitting.length === 1 ? [] : joins.filter((join) => join.usual);
  if (usual) assumptions.push(`"${name}" is taken as the ${usual.role}`);
  return (fitting.length === 1 ? fitting[0]?.role : usual?.role) ?? name;
}
