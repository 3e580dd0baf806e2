import type { DataQuery, ValueFilter } from '../../../schema/data-query.ts';
import type { Edit } from './meaning.ts';
import type { Parts } from './parts.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { either, maybe, repeat, sequence } from './rules.ts';

/** Words that narrow the last question. */
const NARROWS = 'only|only for|just|just for|now only|and only';
/** Words that ask the last question again, with another value. */
const SWAPS =
  'and|what about|how about|and what about|and how about|now|ok|okay|then|so|,|the same|same|the same for|same for|and the same for';
const SPLITS =
  'split that|split it|break that down|break it down|split this|show that|show it|give me that|and split that|and that|split|break down|show me that|now|and';

/** Messages that change one thing of the last question: "and in September?", "only Denim", "split that by region". */
export function plainFragment(
  { say, namedValue, inPeriod, determiner }: Phrases,
  { conditions, groups }: Parts,
): Phrase {
  const bare = sequence(determiner, namedValue);
  const changes = either(conditions, bare, sequence(bare, inPeriod));
  const polite = maybe(say('please|, please'));
  const narrow = { is: 'narrow' } as const;
  return either(
    sequence(repeat(say(SWAPS), 3), changes, maybe(say('instead')), polite),
    sequence(repeat(say(SWAPS), 1), say(NARROWS, narrow), changes, polite),
    sequence(changes, say('only|alone', narrow), polite),
    sequence(repeat(say(SPLITS), 2), groups, polite),
  );
}

/** The last query with the change that a fragment says; undefined where it could be made in several ways. */
export function editedBy(pieces: readonly Piece[], base: DataQuery, edit: Edit | undefined): DataQuery | undefined {
  if (!edit || pieces.length === 0 || base.measures.length > 1) return undefined;
  if (base.share !== 'none' || base.compare || base.without || base.having.length > 0) return undefined;
  if (edit.compare || edit.named.length > 0 || !canGroup(base, edit) || !canFilter(pieces, base, edit))
    return undefined;
  // "November 2024 … and October?": the year of the second one is not said.
  if (base.period && edit.period && yearOf(base.period) !== yearOf(edit.period)) return undefined;
  const isGrouping = edit.dimensions.length > 0 || edit.grain !== null;
  const kept = base.filters.filter((one) => !edit.filters.some(({ dimension }) => dimension === one.dimension));
  return {
    ...base,
    filters: [...kept, ...edit.filters],
    dimensions: isGrouping ? edit.dimensions : base.dimensions,
    grain: isGrouping ? edit.grain : base.grain,
    period: edit.period ?? base.period,
  };
}

/** A figure can be split by something that it is not limited to. */
function canGroup(base: DataQuery, { dimensions, grain }: Edit): boolean {
  if (dimensions.length === 0 && grain === null) return true;
  const isFree = base.dimensions.length === 0 && base.grain === null && base.order === null;
  const isLimited = base.filters.some(({ dimension }) => dimensions.includes(dimension));
  return isFree && !isLimited && (grain === null || base.period === null || holdsSeveral(base.period, grain));
}

const DAYS: Readonly<Record<NonNullable<DataQuery['grain']>, number>> = {
  day: 1,
  week: 7,
  month: 31,
  quarter: 92,
  year: 366,
};

/** "September by month" has one row, which nobody asks for. */
function holdsSeveral({ from, to }: { from: string; to: string }, grain: keyof typeof DAYS): boolean {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000 >= DAYS[grain];
}

/** Another value takes the place of one of its kind. Beside other conditions a value of a new kind only narrows. */
function canFilter(pieces: readonly Piece[], base: DataQuery, { filters }: Edit): boolean {
  const isNarrow = pieces.some(({ is }) => is === 'narrow');
  const kinds = base.filters.map(({ dimension }) => dimension);
  const isClear = filters.every(
    (one) =>
      isSingle(one) &&
      !base.dimensions.includes(one.dimension) &&
      base.filters.every((other) => other.dimension !== one.dimension || isSingle(other)) &&
      (isNarrow ? !kinds.includes(one.dimension) : kinds.includes(one.dimension) || base.filters.length === 0),
  );
  return isClear && new Set(filters.map(({ dimension }) => dimension)).size === filters.length;
}

function yearOf({ from }: { from: string }): string {
  return from.slice(0, 4);
}

function isSingle({ values, negated }: ValueFilter): boolean {
  return values.length === 1 && !negated;
}
