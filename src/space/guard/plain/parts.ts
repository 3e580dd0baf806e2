import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { change, either, maybe, repeat, sequence } from './rules.ts';

/** Conditions, figures and groups: the parts that the forms of plain questions share. */
export function createParts(phrases: Phrases) {
  const { say, namedValue, filter, place } = phrases;
  const quality = either(filter, namedValue);
  const condition = conditionOf(phrases, quality);
  const unit = either(phrases.group(false), phrases.grain);
  const groups = groupsOf(phrases, unit);
  const nounPhrase = nounPhraseOf(phrases);
  return {
    quality,
    condition,
    conditions: repeat(condition, 3),
    nounPhrase,
    figure: figureOf(phrases, nounPhrase),
    unit,
    groups,
    tail: repeat(either(condition, groups), 4),
    /** The conditions of a state: "are not churned", "have churned", "are in the West". */
    state: either(
      sequence(say('not'), change(quality, deny)),
      quality,
      place,
      sequence(say('not'), change(place, deny)),
    ),
  };
}

function conditionOf(phrases: Phrases, quality: Phrase): Phrase {
  const { say, determiner, namedValue, thing, inPeriod, place } = phrases;
  const denied = sequence(
    say('excluding|except|except for|without|not counting|other than|apart from|outside'),
    determiner,
    change(namedValue, deny),
  );
  /** "From female customers", "of Denim products", "of our reviews". */
  const owned = either(
    ...'from|for|of|among|on|in'
      .split('|')
      .map((by) => change(sequence(say(by), determiner, qualified(phrases, thing)), (pieces) => withWord(pieces, by))),
  );
  /** "Customers who are not churned" */
  const clause = sequence(
    say('who are|that are|which are|who were|that were|which were|who have|that have'),
    either(sequence(say('not'), change(quality, deny)), quality),
  );
  /** "Reviews about sizing" */
  const about: Phrase = (at) => (phrases.words[at] === 'about' ? phrases.value(at) : []);
  const now = say('now|right now|currently|at the moment|today', { is: 'now' });
  return either(place, owned, denied, clause, about, inPeriod, now);
}

/** Notes the preposition of a noun. */
function withWord(pieces: Piece[], by: string): Piece[] {
  return pieces.map((piece): Piece => (piece.is === 'thing' ? { ...piece, by } : piece));
}

function nounPhraseOf(phrases: Phrases): Phrase {
  const { say, determiner, rows, namedRows } = phrases;
  return sequence(determiner, maybe(say('different|distinct')), qualified(phrases, either(rows, namedRows)));
}

/** A noun or a measure with adjectives before it. */
export function qualified({ value, filter }: Phrases, noun: Phrase): Phrase {
  const adjectives = repeat(either(value, filter), 3);
  return (at) =>
    adjectives(at).flatMap((before) =>
      noun(before.next).map((found) => ({
        value: [
          ...before.value.map(
            (piece): Piece => (piece.is === 'value' || piece.is === 'filter' ? { ...piece, of: found.value } : piece),
          ),
          ...found.value,
        ],
        next: found.next,
      })),
    );
}

function figureOf(phrases: Phrases, nounPhrase: Phrase): Phrase {
  const { say, determiner, period } = phrases;
  const measure = qualified(phrases, phrases.measure);
  const inTime = maybe(sequence(period, maybe(say("'s"))));
  const total = say('total|overall total', { is: 'kind', kind: 'total' });
  const number = sequence(determiner, maybe(say('total')), say('number of'));
  return either(
    sequence(determiner, maybe(say('overall')), inTime, maybe(total), measure),
    sequence(determiner, say('average|mean', { is: 'kind', kind: 'average' }), measure),
    sequence(either(number, say('count of')), nounPhrase),
    sequence(number, withKind(measure, 'number')),
  );
}

function groupsOf({ say, column, grain }: Phrases, unit: Phrase): Phrase {
  const by = say(
    'by|for each|in each|for every|in every|broken down by|split by|grouped by|at each|of each|within each',
  );
  return either(
    sequence(by, unit, maybe(sequence(say('and|and by'), unit))),
    // "Orders per customer" may be an average.
    sequence(say('per'), either(column(false), grain)),
    sequence(say('each|every|month by'), grain),
  );
}
export type Parts = ReturnType<typeof createParts>;

/** The conditions of some words, turned round. */
function deny(pieces: Piece[]): Piece[] {
  return pieces.map((piece) => (piece.is === 'value' || piece.is === 'filter' ? { ...piece, negated: true } : piece));
}

export function withKind(phrase: Phrase, kind: Extract<Piece, { is: 'kind' }>['kind']): Phrase {
  return change(phrase, (pieces): Piece[] => [...pieces, { is: 'kind', kind }]);
}

/** The conditions of some words, as the part of a share. */
export function asPart(phrase: Phrase): Phrase {
  return change(phrase, (pieces) =>
    pieces.map((piece) => (piece.is === 'value' || piece.is === 'filter' ? { ...piece, isPart: true } : piece)),
  );
}

/** Words of a measure that stand apart: a verb, and the object and the rest behind it. */
export function splitMeasure(
  { words, measureNamed }: Phrases,
  { verbAt, verbEnd, at }: { verbAt: number; verbEnd: number; at: number },
): ReturnType<Phrase> {
  const verb = words.slice(verbAt, verbEnd).join(' ');
  return [1, 2, 3].flatMap((length) =>
    [0, 1, 2].flatMap((tail) => {
      if (at + length + tail > words.length) return [];
      const object = words.slice(at, at + length).join(' ');
      const rest = words.slice(at + length, at + length + tail);
      const names = [[object, verb, ...rest].join(' '), ...(tail === 0 ? [`${verb} ${object}`] : [])];
      return names.flatMap((name) => {
        const value = measureNamed(name);
        return value ? [{ value, next: at + length + tail }] : [];
      });
    }),
  );
}
