import type { Piece } from './meaning.ts';
import type { Phrase, Phrases } from './phrases.ts';
import { change, either, maybe, repeat, sequence } from './rules.ts';

/** Conditions, figures and groups: the parts that the forms of plain questions share. */
export function createParts(phrases: Phrases) {
  const { say, determiner, value, valueOf, filter, adjectives, thing, rows, named, inPeriod, measure, group, grain } =
    phrases;
  const quality = either(filter, value);
  const denied = sequence(
    say('excluding|except|except for|without|not counting|other than|apart from'),
    determiner,
    change(valueOf, deny),
  );
  const place = sequence(say('in|from|for|of|at|on|via|through|among|by'), determiner, valueOf);
  /** "From female customers", "of Denim products". */
  const owned = sequence(say('from|for|of|by|among'), determiner, quality, repeat(quality, 2), thing);
  /** "Customers who are not churned" */
  const clause = sequence(
    say('who are|that are|which are|who were|that were|which were'),
    either(sequence(say('not'), change(quality, deny)), quality),
  );
  const condition = either(place, owned, denied, clause, inPeriod);
  const nounPhrase = sequence(determiner, adjectives, either(rows(true), named));
  const figure = either(
    sequence(determiner, maybe(say('overall')), adjectives, measure),
    sequence(determiner, say('total', { is: 'kind', kind: 'total' }), adjectives, measure),
    sequence(determiner, say('average|mean', { is: 'kind', kind: 'average' }), adjectives, measure),
    sequence(determiner, maybe(say('total')), say('number of'), nounPhrase),
  );
  const unit = either(group(false), grain);
  const by = say('by|per|for each|in each|for every|in every|broken down by|split by|grouped by|at each|of each');
  const groups = either(
    sequence(by, unit, maybe(sequence(say('and|and by'), unit))),
    sequence(say('each|every|month by'), grain),
  );
  return {
    quality,
    conditions: repeat(condition, 3),
    nounPhrase,
    figure,
    unit,
    groups,
    tail: repeat(either(condition, groups), 4),
  };
}
export type Parts = ReturnType<typeof createParts>;

/** The conditions of some words, turned round. */
export function deny(pieces: Piece[]): Piece[] {
  return pieces.map((piece) => (piece.is === 'value' || piece.is === 'filter' ? { ...piece, negated: true } : piece));
}

export function withKind(phrase: Phrase, kind: Extract<Piece, { is: 'kind' }>['kind']): Phrase {
  return change(phrase, (pieces): Piece[] => [...pieces, { is: 'kind', kind }]);
}
