import type { DataQuery, ValueFilter } from '../../../schema/data-query.ts';
import type { Edit } from './meaning.ts';
import type { Parts } from './parts.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { either, maybe, repeat, sequence } from './rules.ts';

const LEADS =
  'and|what about|how about|and what about|and how about|only|only for|just|just for|now|now only|ok|okay|then|so|,|the same|same|the same for|same for|and only|and the same for';
const SPLITS =
  'split that|split it|break that down|break it down|split this|show that|show it|give me that|and split that|and that|split|break down|show me that|now|and';

/** Messages that change one thing of the last question: "and in September?", "only Denim", "split that by region". */
export function plainFragment(
  { say, namedValue, inPeriod, determiner }: Phrases,
  { conditions, groups }: Parts,
): Phrase {
  const bare = sequence(determiner, namedValue);
  const ending = maybe(say('please|, please|only|instead|alone'));
  return either(
    sequence(repeat(say(LEADS), 3), either(conditions, bare, sequence(bare, inPeriod)), ending),
    sequence(repeat(say(SPLITS), 2), groups, ending),
  );
}

/** The last query with the change that a fragment says; undefined where it could be made in several ways. */
export function editedBy(pieces: readonly Piece[], base: DataQuery, edit: Edit | undefined): DataQuery | undefined {
  if (!edit || pieces.length === 0 || base.measures.length > 1) return undefined;
  if (base.share !== 'none' || base.compare || base.without || base.having.length > 0) return undefined;
  const isGrouping = edit.dimensions.length > 0 || edit.grain !== null;
  const isFree = base.dimensions.length === 0 && base.grain === null && base.order === null;
  if ((isGrouping && !isFree) || edit.compare || edit.named.length > 0) return undefined;
  const { filters } = edit;
  const isShown = filters.some(({ dimension }) => base.dimensions.includes(dimension));
  const isMixed = filters.some(
    (one) => !isSingle(one) || base.filters.some((other) => other.dimension === one.dimension && !isSingle(other)),
  );
  if (isShown || isMixed || new Set(filters.map(({ dimension }) => dimension)).size < filters.length) return undefined;
  const kept = base.filters.filter((one) => !filters.some(({ dimension }) => dimension === one.dimension));
  return {
    ...base,
    filters: [...kept, ...filters],
    dimensions: isGrouping ? edit.dimensions : base.dimensions,
    grain: isGrouping ? edit.grain : base.grain,
    period: edit.period ?? base.period,
  };
}

function isSingle({ values, negated }: ValueFilter): boolean {
  return values.length === 1 && !negated;
}
