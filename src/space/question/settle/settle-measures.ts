import type { Mention } from '../draft-shape.ts';
import { isPerUnit } from '../draft-walk.ts';
import { pickImplied } from './imply-measures.ts';
import { absorbParts, absorbVerbs, areJoined, countedBehind, countJoined, durationOf } from './join-measures.ts';
import { pickCount } from './pick-count.ts';
import { countNameOf, measureOf, type PickedMeasure, type Settling, tableNamed } from './settling.ts';

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
    if (sense.kind === 'dimension' && task === 'count') pickDistinct(settling, mention, sense.name);
  }
  absorbParts(settling);
  absorbVerbs(settling);
  pickJoined(settling);
  if (settling.measures.length === 0) pickCompared(settling);
  if (settling.measures.length === 0 && draft.markers.has('how_long')) pickDuration(settling);
  if (settling.measures.length === 0) pickImplied(settling);
  if (settling.measures.length > 1) {
    const named = settling.measures.flatMap(({ mention }) => mention ?? []);
    const isImplied = named.length === 0;
    if (isOfRanked(settling)) settling.assumptions.push('the ranking chooses the things, the other figure is theirs');
    else if (!isImplied && !areJoined(draft, named))
      settling.problems.push(
        `${settling.measures.map(({ name }) => `"${name}"`).join(' beside ')} without "and" between them`,
      );
  }
}

/** Counts that stand in a list of figures. */
function pickJoined(settling: Settling): void {
  if (settling.measures.length === 0) return;
  const isCounted = (table: string) => settling.measures.some((one) => one.name === countNameOf(settling, table));
  for (const mention of countJoined(settling)) {
    if (mention.sense.kind !== 'noun' || isCounted(mention.sense.table)) continue;
    mention.task = 'count';
    pickCount(settling, mention.sense.table, mention);
    if (mention.sense.isEntity) settling.assumptions.push(`"${mention.words}" is counted`);
  }
  const behind = countedBehind(settling);
  if (behind !== undefined && !isCounted(behind)) {
    pickCount(settling, behind);
    settling.assumptions.push(`the number of ${tableNamed(settling, behind)?.names[0]} is asked for, too`);
  }
  settling.measures.sort((a, b) => (a.mention?.at ?? 0) - (b.mention?.at ?? 0));
}

function pickDuration(settling: Settling): void {
  const duration = durationOf(settling);
  if (!duration) return;
  settling.measures.push(duration);
  settling.assumptions.push(`"how long" is read as ${duration.name}`);
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
  const isGrouped = settling.draft.mentions.some(({ task }) => task === 'group');
  for (const mention of isCounted ? [] : compared) {
    if (isOfRows(settling, mention)) continue;
    pickMeasure(settling, mention);
    if (!isGrouped) settling.assumptions.push(`the figure of ${mention.words} is shown`);
  }
}

/** "Customers with a lifetime value above 3000": a column of the things that are named; they are counted or listed. */
function isOfRows(settling: Settling, { sense }: Mention): boolean {
  const table = sense.kind === 'measure' ? measureOf(settling, sense)?.table : undefined;
  const { draft } = settling;
  const isValue = draft.values.some(({ sense: other }) => other.nounOf === table);
  return (
    (isValue && draft.mentions.length === 1) ||
    draft.mentions.some(
      ({ sense: other, task }) => other.kind === 'noun' && other.isEntity && other.table === table && task === 'loose',
    )
  );
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
    // "How many units have we sold": the short name and the verb are the full name, divided.
    const words = [known.mention?.words ?? '', mention.words].map((text) => text.toLowerCase());
    const isFull = measureOf(settling, sense)?.names.some((full) =>
      words.every((word) => full.split(' ').includes(word)),
    );
    if (isFull) settling.weak = settling.weak.filter((word) => word !== known.mention?.words);
    known.aggregate ??= aggregateOf(settling, mention);
    return;
  }
  if (strength !== 'name') settling.weak.push(mention.words);
  if (strength !== 'name' && !hasNeeded(settling, sense))
    settling.problems.push(`"${mention.words}" as ${name} needs more words`);
  settling.measures.push({ name, space, mention, aggregate: aggregateOf(settling, mention), among: null });
}

/** "How many units is that?" stays with the rows of the last question. */
function isOfBase(settling: Settling, { space, name }: { space: string; name: string }): boolean {
  const [last] = settling.base?.measures ?? [];
  const table = measureOf(settling, { space, name })?.table;
  return last !== undefined && table !== undefined && measureOf(settling, { space, name: last.name })?.table === table;
}

/** Some short names, such as "units", count only beside a word of their subject. */
function hasNeeded(settling: Settling, sense: { space: string; name: string }): boolean {
  const needs = measureOf(settling, sense)?.needs ?? [];
  if (needs.length === 0 || isOfBase(settling, sense)) return true;
  const words = settling.draft.items.flatMap((item) => (item.read ?? item.words).toLowerCase().split(/\s+/));
  return needs.some((need) => words.includes(need));
}

/** "Average" and "total" are part of the measure, or change how its rows are combined. */
function aggregateOf(settling: Settling, mention: Mention): PickedMeasure['aggregate'] {
  const { sense } = mention;
  const measure = sense.kind === 'measure' ? measureOf(settling, sense) : undefined;
  if (!measure) return null;
  if (mention.average && measure.kind === 'sum') {
    const isPer = settling.draft.mentions.some(({ task }) => task === 'per') || isPerUnit(settling.draft);
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

/** "How many brands do we carry": the different values among the rows that have them. */
function pickDistinct(settling: Settling, mention: Mention, dimension: string): void {
  for (const { model } of settling.views) {
    const found = model.dimensions.get(dimension);
    const table = found?.nounOf ?? found?.homes[0]?.table;
    const name = table === undefined ? undefined : countNameOf(settling, table);
    if (name === undefined || !model.measures.has(name)) continue;
    settling.measures.push({ name, space: model.space, mention, aggregate: null, among: null, distinct: dimension });
    settling.parts.set(mention.at, `measure different ${dimension}`);
    settling.assumptions.push(`the different values of ${dimension} are counted`);
    return;
  }
  settling.problems.push(`counting "${mention.words}" is not possible`);
}
