import type { Measure } from '../../model/model.ts';
import { canReach } from '../../model/resolve.ts';
import type { Draft, Mention, ReadItem } from '../draft-shape.ts';
import { isSmall } from '../draft-walk.ts';
import { verbForms } from '../words/verb-forms.ts';
import { measureOf, type PickedMeasure, type Settling, tableNamed } from './settling.ts';

/** "How much revenue did we lose": a verb and a noun that together are one measure. */
export function absorbParts(settling: Settling): void {
  const { measures } = settling;
  for (const one of measures.filter(({ mention }) => isWeak(mention))) {
    const names = namesOf(measureOf(settling, one));
    const parts = measures.filter(
      (other) =>
        other !== one && isPartOfName(other, names) && !isRanking(other) && !isListed(settling.draft, one, other),
    );
    for (const part of parts) {
      if (part.mention) settling.parts.set(part.mention.at, `measure ${one.name}`);
      if (isWholeName(settling, one, part)) settling.weak = settling.weak.filter((word) => word !== one.mention?.words);
      measures.splice(measures.indexOf(part), 1);
    }
  }
}

/** "How much revenue did we lose": the noun and a form of the verb are the name "lost revenue", divided. */
function isWholeName(settling: Settling, one: PickedMeasure, { mention }: PickedMeasure): boolean {
  const measure = measureOf(settling, one);
  const said = one.mention?.words.toLowerCase() ?? '';
  const verb = measure?.verbs.find((base) => verbForms(base).includes(said));
  const forms = verb === undefined ? [said] : verbForms(verb);
  const words = [...forms, mention?.words.toLowerCase() ?? ''];
  return measure?.names.some((name) => name.split(' ').every((word) => words.includes(word))) === true;
}

/** "Cheapest thing we sell", "products that each brand sells": a verb beside a figure of its own adds no second one. */
export function absorbVerbs(settling: Settling): void {
  const { measures, draft } = settling;
  const verb = measures.find(({ mention }) => isVerb(mention));
  const [other] = measures.filter((one) => one !== verb);
  if (!verb?.mention || !other || measures.length !== 2 || verb.mention.by === 'by') return;
  if (other.mention && areJoined(draft, [verb.mention, other.mention])) return;
  const model = settling.views.find((view) => view.model.space === verb.space)?.model;
  const own = measureOf(settling, other);
  const table = measureOf(settling, verb)?.table;
  if (!own || !model || table === undefined || isVerb(other.mention)) return;
  if (own.isRowCount && own.table !== table && canReach(model, table, own.table)) other.among = table;
  settling.parts.set(verb.mention.at, other.among ? `among ${table}` : `rows of ${table}`);
  settling.assumptions.push(`"${verb.mention.words}" adds no figure of its own`);
  const said = verb.mention.words;
  settling.weak = settling.weak.filter((word) => word !== said);
  measures.splice(measures.indexOf(verb), 1);
}

function isVerb(mention: Mention | undefined): boolean {
  return mention?.sense.kind === 'measure' && mention.sense.strength === 'verb';
}

/** "Stock, units and value": members of a list stay apart. */
function isListed(draft: Draft, { mention: a }: PickedMeasure, { mention: b }: PickedMeasure): boolean {
  return a !== undefined && b !== undefined && areJoined(draft, [a, b]);
}

function isWeak(mention: Mention | undefined): boolean {
  return mention?.sense.kind === 'measure' && mention.sense.strength !== 'name';
}

function isRanking({ mention }: PickedMeasure): boolean {
  return mention?.by === 'by';
}

function namesOf(measure: Measure | undefined): string[] {
  return [...(measure?.names ?? []), ...(measure?.short ?? [])];
}

function isPartOfName({ mention }: PickedMeasure, names: readonly string[]): boolean {
  const words = mention?.words.toLowerCase() ?? '';
  return mention?.sense.kind === 'measure' && names.some((name) => name !== words && name.split(' ').includes(words));
}

/** True if "and" or a comma stands between each two of the measures. */
export function areJoined({ items }: Draft, mentions: readonly Mention[]): boolean {
  const places = mentions.map(({ at }) => at).toSorted((a, b) => a - b);
  return places.slice(1).every((to, index) => {
    const between = items.slice(places[index] ?? 0, to);
    return between.some((item) => item.isStop || isAnd(item) || isVersus(item));
  });
}

/** "Sales vs lost revenue": two figures beside each other. */
function isVersus(item: ReadItem): boolean {
  return item.kind === 'function' && item.sense.kind === 'versus';
}

function isAnd(item: ReadItem): boolean {
  return item.kind === 'function' && item.sense.kind === 'and';
}

/** "Orders and revenue per month": a noun that "and" or a comma joins to a measure is counted. */
export function countJoined(settling: Settling): Mention[] {
  const { draft } = settling;
  const isGrouped = draft.grain !== undefined || draft.mentions.some(({ task }) => task === 'group' || task === 'per');
  return draft.mentions.filter((mention) => {
    const { sense, task, by } = mention;
    const isListed = task === 'group' && by === 'list' && sense.kind === 'noun' && !sense.isEntity;
    if (sense.kind !== 'noun' || sense.isActor || (task !== 'loose' && !isListed)) return false;
    // "Lost revenue from stockouts and sales": the noun belongs to the first figure.
    const before = draft.items[mention.at - 1];
    if (before?.kind === 'function' && before.sense.kind === 'role') return false;
    if (sense.isEntity && !isGrouped) return false;
    return joinedMention(draft, mention, 1) || joinedMention(draft, mention, -1);
  });
}

/** The next content in a direction is a measure, and only "and" or a comma stands between. */
function joinedMention(draft: Draft, { at }: Mention, step: 1 | -1): boolean {
  let isJoined = false;
  for (let place = at; place >= 0 && place < draft.items.length; place += step) {
    const item = draft.items[place];
    if (!item) return false;
    if (place !== at && !isSmall(item) && !isAnd(item) && !isHead(item)) {
      const other = draft.mentions.find((one) => one.at === place);
      return isJoined && (other?.sense.kind === 'measure' || other?.task === 'count');
    }
    const stops = step === 1 ? item.isStop : place !== at && item.isStop;
    if (stops || isAnd(item)) isJoined = true;
  }
  return false;
}

function isHead(item: ReadItem): boolean {
  return item.kind === 'function' && ['total', 'average', 'how_many', 'list', 'which'].includes(item.sense.kind);
}

/** "How long does a stockout last": the first duration that is declared for the rows that are named. */
export function durationOf({ draft, views }: Settling): PickedMeasure | undefined {
  const tables = new Set([
    ...draft.mentions.flatMap(({ sense }) => (sense.kind === 'noun' ? [sense.table] : [])),
    ...draft.values.flatMap(({ sense }) => sense.nounOf ?? []),
    ...[...draft.light, ...draft.verbs].map(({ table }) => table),
  ]);
  for (const { model } of views) {
    const found = [...model.measures.values()].find(
      ({ table, unit, kind }) => unit === 'days' && kind === 'average' && tables.has(table),
    );
    if (found) return { name: found.name, space: model.space, aggregate: null, among: null };
  }
  return undefined;
}

/** The table of the rows that a count at the end of a list is about: "At Risk customers: count, revenue". */
export function countedBehind(settling: Settling): string | undefined {
  const { draft, views } = settling;
  if (!draft.markers.has('count_back')) return undefined;
  const noun = draft.mentions.find(({ sense }) => sense.kind === 'noun' && !sense.isActor);
  if (noun?.sense.kind === 'noun') return noun.sense.table;
  const [value] = draft.values;
  const table = views.map(({ model }) => model.dimensions.get(value?.sense.dimension ?? '')?.nounOf).find(Boolean);
  return table !== undefined && tableNamed(settling, table) ? table : undefined;
}
