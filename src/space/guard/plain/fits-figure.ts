import type { Measure, SpaceModel } from '../../model/model.ts';
import { canReach } from '../../model/resolve.ts';
import { filterOf, homesOf, isIn } from './named-things.ts';
import { type Piece, type PieceOf, piecesOf } from './pieces.ts';
import type { View } from './vocabulary.ts';

/** The rows that are measured. */
export interface Fitting {
  table: string;
  measures: readonly Measure[];
  view: View;
}

/** Nouns, verbs and other words around a figure must fit it. */
export function fitsWords(pieces: readonly Piece[], { table, measures, view }: Fitting): boolean {
  const { model } = view;
  const isOf = (tables: readonly string[]) => tables.some((one) => canReach(model, table, one));
  const own = (senses: readonly { space: string; table: string }[]) =>
    senses.filter((sense) => isIn(sense, model)).map((sense) => sense.table);
  return (
    piecesOf(pieces, 'thing').every(({ senses }) => isOf(own(senses))) &&
    piecesOf(pieces, 'light').every(({ senses }) => own(senses).includes(table)) &&
    piecesOf(pieces, 'kind').every(({ kind }) => measures.every((measure) => hasKind(measure, kind, model))) &&
    (piecesOf(pieces, 'now').length === 0 || model.tables.get(table)?.snapshot === true)
  );
}

/**
 * "Units bought from women" are not those that women bought, "reviews from Northway" not those of its products, and
 * "products for women" not those that women bought. Money comes from anything.
 */
export function fitsPrepositions(pieces: readonly Piece[], { table, measures, view }: Fitting): boolean {
  const { model } = view;
  const isPeople = (name: string) => model.tables.get(name)?.people === true;
  const isMoney = measures.every(({ unit }) => unit === 'usd');
  const isCount = measures.every(({ kind }) => kind === 'count');
  const isFrom = (homes: readonly string[]) =>
    isMoney || (isCount && !homes.some((home) => isThing(home, table, model)));
  return (
    piecesOf(pieces, 'thing').every(
      ({ by, senses }) => by !== 'from' || isFrom(senses.filter((one) => isIn(one, model)).map((one) => one.table)),
    ) &&
    piecesOf(pieces, 'value').every((piece) => {
      const homes = homesOf(filterOf(piece, table, model)?.dimension ?? '', model);
      if (piece.by === 'for') return !homes.some(isPeople);
      return piece.by !== 'from' || isFrom(homes);
    })
  );
}

/** Another table whose rows have names, and are no people. */
function isThing(name: string, table: string, model: SpaceModel): boolean {
  const { label, people } = model.tables.get(name) ?? {};
  return name !== table && label !== undefined && people !== true;
}

function hasKind(measure: Measure, asked: PieceOf<'kind'>['kind'], { tables }: SpaceModel): boolean {
  const { kind, unit, isRowCount, table } = measure;
  switch (asked) {
    case 'total':
      return kind === 'sum' || kind === 'count';
    case 'average':
      return kind === 'average';
    case 'amount':
      return kind === 'sum' && !isRowCount;
    case 'number':
      return (kind === 'sum' || kind === 'count') && unit !== 'usd';
    case 'money':
      return kind === 'sum' && unit === 'usd' && tables.get(table)?.snapshot !== true;
    case 'events':
      return (kind === 'count' && tables.get(table)?.time !== undefined) || unit === 'stars';
    // Whether it is the figure of single things is a matter of the groups.
    case 'single':
      return true;
    case 'state':
      return tables.get(table)?.snapshot === true;
  }
}
