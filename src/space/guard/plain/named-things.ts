import type { ValueFilter } from '../../../schema/data-query.ts';
import type { Measure, ModelJoin, SpaceModel } from '../../model/model.ts';
import { canReach, findPaths, resolveDimension } from '../../model/resolve.ts';
import type { Figure, Piece, PieceOf } from './pieces.ts';

export function isIn({ space }: { space: string }, model: SpaceModel): boolean {
  return space === model.space;
}

export function measureOf(figure: Figure, model: SpaceModel): Measure | undefined {
  if ('measure' in figure) {
    const own = new Set(figure.measure.filter((sense) => isIn(sense, model)).map(({ name }) => name));
    return own.size === 1 ? model.measures.get([...own][0] ?? '') : undefined;
  }
  const tables = new Set(figure.rows.filter((sense) => isIn(sense, model)).map(({ table }) => table));
  return tables.size === 1
    ? [...model.measures.values()].find(({ isRowCount, table }) => isRowCount && tables.has(table))
    : undefined;
}

/** Grouping by an entity or a column that each row has exactly one of. */
export function groupOf(senses: PieceOf<'group'>['senses'], table: string, model: SpaceModel): string | undefined {
  const names = senses
    .filter((sense) => isIn(sense, model))
    .flatMap((sense) => {
      if ('name' in sense) return isReached(model, table, sense.name, sense.of) ? [sense.name] : [];
      const entity = [...model.dimensions.values()].find(
        ({ entity: own, role }) => own === sense.table && role === undefined,
      );
      return entity && isReached(model, table, entity.name) ? [entity.name] : [];
    });
  const distinct = [...new Set(names)];
  return distinct.length === 1 ? distinct[0] : undefined;
}

function isReached(model: SpaceModel, table: string, dimension: string, home?: string): boolean {
  const found = resolveDimension(model, table, dimension);
  return found !== undefined && 'place' in found && (home === undefined || found.place.table === home);
}

/** A value that only one dimension of these rows has, or one whose dimension is said beside it. */
export function filterOf(piece: PieceOf<'value'>, table: string, model: SpaceModel): ValueFilter | undefined {
  const { senses, dimension, or = [], by, negated = false } = piece;
  const join = joinBy(by, table, model);
  if (by === 'to' && !join) return undefined;
  const isSaid = (name: string) => dimension?.some((one) => isIn(one, model) && one.name === name) ?? true;
  const placesOf = (list: typeof senses) =>
    list
      .filter((sense) => isIn(sense, model) && isSaid(sense.dimension) && (dimension !== undefined || !sense.needs))
      .flatMap((sense) => {
        const entity = model.dimensions.get(sense.dimension)?.entity;
        if (join && entity === join.table) return [{ ...sense, dimension: join.role }];
        return isReached(model, table, sense.dimension) ? [sense] : [];
      });
  const [first, ...more] = [senses, ...or].map((list) => onlyOf(placesOf(list)));
  if (!first || more.some((one) => one?.dimension !== first.dimension)) return undefined;
  if (!isOfNoun(homesOf(first.dimension, model), piece.of ?? [], model)) return undefined;
  const values = [first, ...more].flatMap((one) => (one ? [one.value] : []));
  return { dimension: first.dimension, values: [...new Set(values)], negated };
}

/** The tables that a dimension is a column of, or whose rows its values name. */
export function homesOf(name: string, model: SpaceModel): string[] {
  const dimension = model.dimensions.get(name);
  return [...(dimension?.homes ?? []).map(({ table }) => table), ...(dimension?.nounOf ? [dimension.nounOf] : [])];
}

/** An adjective is a column of the noun behind it. A measure has the conditions of all its rows. */
function isOfNoun(homes: readonly string[], of: readonly Piece[], model: SpaceModel): boolean {
  const tables = of.flatMap((piece) => {
    if (piece.is === 'thing') return ownTables(piece.senses, model);
    if (piece.is === 'figure') return 'rows' in piece.figure ? ownTables(piece.figure.rows, model) : homes;
    if (piece.is !== 'group') return [];
    return piece.senses
      .filter((sense) => isIn(sense, model))
      .flatMap((sense) => ('table' in sense ? [sense.table] : homesOf(sense.name, model)));
  });
  return of.length === 0 || homes.some((home) => tables.includes(home));
}

function ownTables(senses: readonly { space: string; table: string }[], model: SpaceModel): string[] {
  return senses.filter((sense) => isIn(sense, model)).map(({ table }) => table);
}

function onlyOf<T extends { dimension: string; value: string }>(places: readonly T[]): T | undefined {
  const [first] = places;
  return new Set(places.map(({ dimension, value }) => `${dimension} ${value}`)).size === 1 ? first : undefined;
}

/** "To" and "from" choose among several joins to one table. */
function joinBy(word: string | undefined, table: string, model: SpaceModel): ModelJoin | undefined {
  const joins = model.tables.get(table)?.joins ?? [];
  const found = joins.filter(({ words }) => word !== undefined && words.includes(word));
  const [only] = found;
  return found.length === 1 && only && findPaths(model, table, only.table).length > 1 ? only : undefined;
}

export function namedOf({ senses, negated = false, of = [] }: PieceOf<'filter'>, table: string, model: SpaceModel) {
  const own = senses.filter((sense) => isIn(sense, model));
  const [only] = own;
  const filter = model.filters.get(only?.name ?? '');
  if (!only || !filter || new Set(own.map(({ name }) => name)).size > 1) return undefined;
  // "Not recovered" may also mean carts that were never abandoned.
  const isNegated = only.negated !== negated;
  if (isNegated && filter.within !== undefined) return undefined;
  const homes = [
    ...(filter.columns ?? []).map((column) => column.split('.')[0] ?? ''),
    ...(filter.of === undefined ? [] : [filter.of]),
    ...(filter.rows === undefined ? [] : [filter.rows.split('.')[0] ?? '']),
  ];
  // "Retained revenue" need not be the revenue of retained customers.
  const isOfMeasure = of.some((piece) => piece.is === 'figure' && 'measure' in piece.figure);
  const isFitting = isOfMeasure ? homes.includes(table) : isOfNoun(homes, of, model);
  const isReachable = homes.some((home) => canReach(model, table, home));
  return isReachable && isFitting ? { name: only.name, negated: isNegated } : undefined;
}
