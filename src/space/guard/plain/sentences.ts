import type { Comparison } from '../../../schema/data-query.ts';
import type { Piece } from './meaning.ts';
import { deny, type Parts, withKind } from './parts.ts';
import { COMPARISONS, type Phrase, type Phrases } from './phrases.ts';
import { change, either, maybe, type Rule, repeat, sequence } from './rules.ts';

const OPENINGS =
  "please|hi|hello|hey|,|can you|could you|show|show me|give me|tell me|list|i want to know|i want to see|i would like to know|i would like to see|i'd like to know|what is|what are|what was|what were|let me see|calculate|report";

/**
 * The forms of plain questions. Each of them has one meaning, so that a question which is one of them as a whole needs no
 * guess. Forms that people use for several things are not here: such questions are answered, but never with high
 * confidence.
 */
export function plainSentence(phrases: Phrases, parts: Parts): Phrase {
  const { say } = phrases;
  const form = either(
    ...[figures, counts, rankings, winners, limits, shares, comparisons].map((make) => make(phrases, parts)),
  );
  return sequence(repeat(say(OPENINGS), 3), form, maybe(say('please|, please')));
}

/** "Total revenue of Denim by month in 2025", "monthly revenue", "revenue and units sold by category". */
function figures({ say, adverb, determiner, value }: Phrases, { figure, unit, tail, conditions }: Parts): Phrase {
  const two = maybe(sequence(say('and|and the'), figure));
  const each = sequence(say('for each|for every|in each|by|per'), unit, maybe(say(',')));
  const amount = sequence(say('how much'), withKind(figure, 'amount'));
  const had = either(
    say('did we make|did we have|did we earn|did we get|did we generate|did we take in|do we have|is there|was there'),
    sequence(say('does|did'), determiner, value, say('make|have|earn|generate|bring in')),
    sequence(say('came from|comes from|come from|was made in|was made by'), determiner, value),
  );
  return either(
    sequence(figure, two, tail),
    sequence(determiner, adverb, figure, conditions),
    sequence(
      each,
      maybe(say('show|show me|give me|list|what is|what was|what are|what were')),
      figure,
      two,
      conditions,
    ),
    sequence(figure, say('over time', { is: 'grain', grain: 'month' }), conditions),
    sequence(amount, maybe(had), tail),
  );
}

/** "How many Gold customers are there in the West", "how many orders were placed in October". */
function counts(
  { say, light, measure, adjectives, filter, value }: Phrases,
  { nounPhrase, tail, quality }: Parts,
): Phrase {
  const had = say(
    'are there|were there|do we have|did we have|did we get|did we receive|have we got|have we had|has there been|have there been',
  );
  const done = sequence(say('were|was|are|have been'), light);
  const state = sequence(say('are|were|have'), either(sequence(say('not'), change(quality, deny)), filter, value));
  return either(
    sequence(say('how many'), nounPhrase, tail),
    sequence(say('how many'), nounPhrase, either(had, done, state), tail),
    sequence(say('how many'), withKind(sequence(adjectives, measure), 'number'), maybe(had), tail),
  );
}

const HAS =
  'has|have|had|with|made|makes|make|generated|generates|generate|earned|earns|got|gets|received|brought in|did have|holds|saw';

/** A figure with the word for one end of it: "the highest revenue", "the most orders". */
function extreme({ say, determiner, measure, rows }: Phrases): Phrase {
  const end = (words: string, is: Extract<Piece, { is: 'end' }>['end']) => say(words, { is: 'end', end: is });
  const ends = either(
    end('highest|greatest|largest|biggest', 'highest'),
    end('lowest|smallest', 'lowest'),
    end('best', 'best'),
    end('worst', 'worst'),
  );
  const numbers = either(end('most', 'highest'), end('fewest', 'lowest'));
  const amounts = either(end('most', 'highest'), end('least', 'lowest'));
  return sequence(
    determiner,
    either(
      sequence(ends, maybe(say('average|total|overall')), measure),
      sequence(ends, say('number of'), rows(true)),
      sequence(amounts, withKind(measure, 'amount')),
      sequence(numbers, rows(true)),
    ),
  );
}

/** The things that are ranked: one, a number of them, or a plural whose number is left open. */
function ranked({ group, number, adjectives, grain }: Phrases): Phrase {
  const some: Phrase = change(group(true), (pieces): Piece[] => [...pieces, { is: 'limit', limit: 'some' }]);
  const counted = sequence(
    number((limit) => ({ is: 'limit', limit })),
    adjectives,
    group(true),
  );
  return either(sequence(adjectives, either(group(false), some)), counted, grain);
}

/** "Which category has the most revenue", "the three brands with the highest rating", "top 5 products by revenue". */
function rankings(phrases: Phrases, { conditions, quality }: Parts): Phrase {
  const { say, determiner, measure, group, number, adjectives, rows } = phrases;
  const end = either(
    say('top', { is: 'end', end: 'highest' }),
    say('bottom', { is: 'end', end: 'lowest' }),
    say('best', { is: 'end', end: 'best' }),
    say('worst', { is: 'end', end: 'worst' }),
  );
  const limit = number((count) => ({ is: 'limit', limit: count }));
  const measured = either(sequence(determiner, measure), sequence(maybe(say('the')), say('number of'), rows(true)));
  const some: Phrase = change(group(true), (pieces): Piece[] => [...pieces, { is: 'limit', limit: 'some' }]);
  const asked = say('which|what|which is|what is|in which|in what|at which|who has');
  return either(
    sequence(maybe(asked), determiner, ranked(phrases), conditions, say(HAS), extreme(phrases), conditions),
    sequence(asked, ranked(phrases), say('did we have|did we make|did we get|had'), extreme(phrases), conditions),
    sequence(determiner, end, limit, adjectives, group(true), say('by|in terms of|for'), measured, conditions),
    sequence(determiner, end, adjectives, either(some, group(false)), say('by|in terms of'), measured, conditions),
    sequence(say('who are'), determiner, end, limit, repeat(quality, 1), group(true), say('by'), measured, conditions),
  );
}

/** "In each region, which brand has the most revenue", "top 2 brands by revenue within each region". */
function winners(phrases: Phrases, { conditions }: Parts): Phrase {
  const { say, determiner, measure, group, number } = phrases;
  const within = group(false, true);
  const limit = number((count) => ({ is: 'limit', limit: count }));
  const top = say('top', { is: 'end', end: 'highest' });
  return either(
    sequence(
      say('in each|for each|within each|in every|for every'),
      within,
      maybe(say(',')),
      say('which|what'),
      group(false),
      say(HAS),
      extreme(phrases),
      conditions,
    ),
    sequence(
      determiner,
      top,
      limit,
      group(true),
      say('by'),
      measure,
      say('in each|within each|for each|in every|per'),
      within,
      conditions,
    ),
  );
}

function bound({ say, number }: Phrases, figure: Rule<Piece[]>, order: 'figure first' | 'number first'): Phrase {
  const comparisons = Object.entries(COMPARISONS) as [Comparison, string][];
  return either(
    ...comparisons.map(([comparison, words]): Phrase => {
      const value = number((count) => ({ is: 'bound', value: count }));
      const parts =
        order === 'figure first'
          ? sequence(figure, maybe(say('of')), say(words), value)
          : sequence(say(words), value, figure);
      return change(parts, (pieces) => toHaving(pieces, comparison));
    }),
  );
}

/** One figure and one number become the condition that compares them. */
function toHaving(pieces: Piece[], comparison: Comparison): Piece[] | undefined {
  const figure = pieces.find((piece) => piece.is === 'figure');
  const number = pieces.find((piece) => piece.is === 'bound');
  return figure && number ? [{ is: 'having', figure: figure.figure, comparison, value: number.value }] : undefined;
}

/** "How many customers have more than 5 orders", "which brands have revenue above 400,000". */
function limits(phrases: Phrases, { nounPhrase, conditions }: Parts): Phrase {
  const { say, rows, measure, group } = phrases;
  const counted = bound(phrases, rows(true), 'number first');
  return either(
    sequence(say('how many'), nounPhrase, say('have|had|with|placed|made'), counted),
    sequence(say('number of'), nounPhrase, say('with'), counted),
    sequence(
      say('which'),
      group(true),
      say('have|had|with'),
      either(change(bound(phrases, measure, 'figure first'), withFigure), change(counted, withFigure)),
      conditions,
    ),
  );
}

/** The compared figure is shown, too. */
function withFigure(pieces: Piece[]): Piece[] {
  return pieces.flatMap((piece): Piece[] =>
    piece.is === 'having' ? [{ is: 'figure', figure: piece.figure }, piece] : [piece],
  );
}

/** "What share of Gold customers is churned", "what percentage of revenue comes from Denim". */
function shares(
  { say, determiner, measure, inPeriod, valueOf }: Phrases,
  { nounPhrase, conditions, quality }: Parts,
): Phrase {
  const share = sequence(
    maybe(say('what|which')),
    determiner,
    say('share of|percentage of|proportion of|percent of|fraction of', { is: 'share' }),
  );
  const asPart = (phrase: Phrase): Phrase =>
    change(phrase, (pieces) =>
      pieces.map((piece) => (piece.is === 'value' || piece.is === 'filter' ? { ...piece, isPart: true } : piece)),
    );
  return sequence(
    share,
    either(
      sequence(
        nounPhrase,
        conditions,
        say('is|are|was|were|that are|that is|who are|that were'),
        asPart(either(sequence(say('not'), change(quality, deny)), quality)),
      ),
      sequence(
        either(sequence(determiner, withKind(measure, 'total')), nounPhrase),
        say(
          'comes from|came from|come from|is from|was from|are from|were from|came through|comes through|is in|are in|was in|were in',
        ),
        determiner,
        asPart(valueOf),
      ),
    ),
    maybe(inPeriod),
  );
}

/** "Compare revenue in May 2025 with June 2025", "revenue in May versus June". */
function comparisons({ say, period, inPeriod }: Phrases, { figure, conditions }: Parts): Phrase {
  const versus = say('vs|versus|compared to|compared with|against');
  return either(
    sequence(say('compare'), figure, conditions, inPeriod, say('with|to|and'), maybe(say('in')), period),
    sequence(figure, conditions, inPeriod, versus, maybe(say('in')), period),
  );
}
