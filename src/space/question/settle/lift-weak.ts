import { toSingular } from '../../model/nouns.ts';
import { isFunctionWord } from '../words/function-words.ts';
import { measureOf, type PickedMeasure, type Settling } from './settling.ts';

/** Weak words that the rest of the question makes as sure as a name lose their doubt. */
export function liftWeak(settling: Settling): void {
  const rules = [isBesideName, isSoldPieces, isDivided, isCompared];
  const sure = settling.measures.filter((one) => rules.some((rule) => rule(settling, one)));
  const words = sure.flatMap(({ mention }) => mention?.words ?? []);
  settling.weak = settling.weak.filter((word) => !words.includes(word));
}

/** "Revenue and units per month": a short name of a number of things beside a full name of the same table. */
function isBesideName(settling: Settling, one: PickedMeasure): boolean {
  const { measures } = settling;
  const measure = measureOf(settling, one);
  if (!isShort(one) || !measure || ['usd', 'percent', 'days'].includes(measure.unit)) return false;
  const tables = new Set(measures.map((other) => `${other.space} ${measureOf(settling, other)?.table}`));
  return tables.size === 1 && measures.some((other) => other !== one && !isWeak(other));
}

/** "How many clicks did the recommendations get": the short name and a noun of its table are the whole name. */
function isDivided(settling: Settling, one: PickedMeasure): boolean {
  const measure = measureOf(settling, one);
  const nouns = settling.draft.mentions.filter(({ sense }) => sense.kind === 'noun' && sense.table === measure?.table);
  const said = [one.mention, ...nouns].map((mention) => draftWords(settling, mention));
  const words = new Set(said.flat());
  const isWhole = (name: string) => {
    const own = name.split(' ').filter((word) => !isFunctionWord(word));
    return own.length > 1 && own.every((word) => words.has(toSingular(word)));
  };
  const isOnly = settling.measures.length === 1 && nouns.length > 0 && isShort(one);
  return isOnly && (measure?.names.some(isWhole) ?? false);
}

function draftWords({ draft }: Settling, mention: PickedMeasure['mention']): string[] {
  const item = draft.items[mention?.at ?? -1];
  return (item?.read ?? item?.words ?? '').toLowerCase().split(' ').map(toSingular);
}

/** "Which dresses sold fewer than 120 units": the verb and the unit are the name of one measure. */
function isCompared({ query }: Settling, one: PickedMeasure): boolean {
  return isVerb(one) && query.having.some(({ measure }) => measure === one.name);
}

/** "How many Aspen Boots did we sell": pieces of a named thing are sold in units. */
function isSoldPieces(settling: Settling, one: PickedMeasure): boolean {
  const { draft, measures } = settling;
  const isUnits = measureOf(settling, one)?.unit === 'units' && isVerb(one);
  const isPast = draft.items.some(({ words }) => /^(?:did|did we|have we|sold)$/i.test(words));
  return isUnits && isPast && measures.length === 1 && draft.head === 'how_many' && namesPiece(settling);
}

/** A full name of a thing whose kinds are pieces, such as a product, and no other noun that could be counted. */
export function namesPiece({ draft, views }: Settling): boolean {
  const isPiece = (dimension: string) =>
    views.some(({ model }) => {
      const entity = model.dimensions.get(dimension)?.entity;
      return (
        entity !== undefined && [...model.dimensions.values()].some(({ pieces, nounOf }) => pieces && nounOf === entity)
      );
    });
  const isNamed = draft.values.some(({ sense }) => sense.strength === 'name' && isPiece(sense.dimension));
  return isNamed && !draft.mentions.some(({ sense }) => sense.kind === 'noun');
}

function isShort({ mention }: PickedMeasure): boolean {
  return mention?.sense.kind === 'measure' && mention.sense.strength === 'short';
}

function isVerb({ mention }: PickedMeasure): boolean {
  return mention?.sense.kind === 'measure' && mention.sense.strength === 'verb';
}

function isWeak({ mention }: PickedMeasure): boolean {
  if (mention?.sense.kind === 'noun') return mention.sense.isShort === true;
  return mention?.sense.kind !== 'measure' || mention.sense.strength !== 'name';
}
