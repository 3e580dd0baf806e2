import type { Comparison, Grain } from '../../../schema/data-query.ts';
import type { Days } from './plain-periods.ts';
import type { SenseOf } from './vocabulary.ts';

/** Something that is measured: a declared measure, or the rows of a table. */
export type Figure = { measure: { space: string; name: string }[] } | { rows: { space: string; table: string }[] };

/** A piece of a plain question. `isPart`: it forms the part of a share. */
export type Piece =
  | { is: 'figure'; figure: Figure }
  /** `or`: further values of the same dimension. `by`: the preposition before it. `isSide`: it is compared with another one. */
  | {
      is: 'value';
      senses: SenseOf<'value'>[];
      dimension?: SenseOf<'dimension'>[];
      or?: SenseOf<'value'>[][];
      by?: string;
      isSide?: boolean;
      /** The noun that it stands before: "gold products" are not products of Gold customers. */
      of?: Piece[];
      /** It stands behind a verb, and is not a column of those who did it. */
      isObject?: boolean;
      negated?: boolean;
      isPart?: boolean;
    }
  | { is: 'filter'; senses: SenseOf<'filter'>[]; negated?: boolean; isPart?: boolean; of?: Piece[] }
  /** A thing that the rows must belong to: revenue from customers. */
  | { is: 'thing'; senses: (SenseOf<'noun'> | SenseOf<'actor'>)[]; by?: string }
  | { is: 'light'; senses: SenseOf<'light'>[] }
  /** Rows of another table that the counted things have, or have not: customers who ordered. */
  | { is: 'deed'; senses: SenseOf<'verb'>[]; negated: boolean }
  | {
      is: 'group';
      senses: ({ space: string; name: string; of?: string } | { space: string; table: string })[];
      isWithin?: boolean;
    }
  | { is: 'grain'; grain: Grain }
  | { is: 'period'; days: Days }
  | { is: 'share'; within: 'whole' | 'group' }
  /** The state of now is asked for. */
  | { is: 'now' }
  | { is: 'end'; end: 'highest' | 'lowest' | 'best' | 'worst' }
  /** `some`: a plural without a number, whose limit is not said. `all`: the rows are only sorted. */
  | { is: 'limit'; limit: number | 'some' | 'all' }
  | { is: 'bound'; value: number; isMoney: boolean }
  /** The last question is limited further. */
  | { is: 'narrow' }
  | { is: 'having'; figure: Figure; comparison: Comparison; value: number; isMoney: boolean }
  /** A demand on the figure, from the words around it. */
  | { is: 'kind'; kind: 'total' | 'average' | 'amount' | 'number' | 'money' | 'events' | 'state' | 'single' };

export type PieceOf<K extends Piece['is']> = Extract<Piece, { is: K }>;

/** The pieces of one kind. */
export function piecesOf<K extends Piece['is']>(pieces: readonly Piece[], kind: K): PieceOf<K>[] {
  return pieces.filter((piece): piece is PieceOf<K> => piece.is === kind);
}
