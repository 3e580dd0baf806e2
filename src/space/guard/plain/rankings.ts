import { type Parts, qualified, splitMeasure, withKind } from './parts.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { change, either, maybe, sequence } from './rules.ts';

const WHICH =
  'which|what|which is|what is|in which|in what|at which|on which|for which|which single|on which single|of all';

/** "Which category has the most revenue", "the three brands with the highest rating", "top 5 products by revenue". */
export function rankings(phrases: Phrases, { conditions, unit }: Parts): Phrase {
  const { say, determiner, adjective, group, kind, grain } = phrases;
  const asked = maybe(say(WHICH));
  const best = has(phrases);
  const each = say('in each|for each|within each|in every|for every|per|of each|by|at each');
  const within = sequence(each, group(false, true));
  const ahead = sequence(
    say('in each|for each|within each|in every|for every|per'),
    group(false, true),
    maybe(say(',')),
  );
  const one = qualified(phrases, kind(false));
  const is = say('is|are|was|were|is the|are the|was the');
  const rated = sequence(
    determiner,
    either(
      sequence(limitOf(phrases), adjective, qualified(phrases, kind(true))),
      sequence(adjective, qualified(phrases, either(some(phrases), kind(false)))),
    ),
  );
  return either(
    sequence(asked, determiner, ranked(phrases), conditions, best, conditions),
    sequence(
      say(WHICH),
      either(grain, one),
      say('did we have|did we make|did we get|did we take'),
      extreme(phrases),
      conditions,
    ),
    sequence(asked, determiner, either(ranked(phrases), grain), conditions, is, lastMeasure(phrases)),
    sequence(asked, either(one, qualified(phrases, some(phrases))), is, adjective, conditions),
    sequence(asked, rated, conditions),
    topBy(phrases, conditions),
    sequence(ahead, maybe(say('show me|give me|what is|list')), asked, determiner, one, conditions, best, conditions),
    sequence(asked, determiner, one, within, best, conditions),
    sequence(asked, determiner, one, best, within, conditions),
    sequence(asked, rated, within, conditions),
    sequence(ahead, asked, rated, conditions),
    sequence(topBy(phrases, conditions), within, conditions),
    sequence(unit, best, conditions),
  );
}

function end({ say }: Phrases, words: string, is: Extract<Piece, { is: 'end' }>['end']): Phrase {
  return say(words, { is: 'end', end: is });
}

/** A figure with the word for one end of it: "the highest revenue", "the most orders". */
function extreme(phrases: Phrases): Phrase {
  const { say, determiner, measure, rows } = phrases;
  const ends = either(
    end(phrases, 'highest|greatest', 'highest'),
    end(phrases, 'lowest', 'lowest'),
    end(phrases, 'best', 'best'),
    end(phrases, 'worst', 'worst'),
  );
  const sizes = either(end(phrases, 'largest|biggest', 'highest'), end(phrases, 'smallest', 'lowest'));
  const amounts = either(end(phrases, 'most', 'highest'), end(phrases, 'least', 'lowest'));
  const numbers = either(end(phrases, 'most', 'highest'), end(phrases, 'fewest', 'lowest'));
  return sequence(
    determiner,
    either(
      sequence(ends, maybe(say('average|total|overall')), measure),
      sequence(either(ends, sizes), say('number of'), rows),
      sequence(sizes, withKind(measure, 'total')),
      sequence(amounts, withKind(measure, 'amount')),
      sequence(numbers, withKind(measure, 'number')),
      sequence(numbers, rows),
    ),
  );
}

/** The verb of a ranking and its figure. A verb says what kind of figure it can be: stock is not received, orders are. */
function has(phrases: Phrases): Phrase {
  const { say } = phrases;
  const figure = extreme(phrases);
  return either(
    sequence(say('has|have|had|with|did have'), figure),
    sequence(
      say(
        'made|makes|make|generated|generates|generate|earned|earns|earn|brought in|brings in|bring in|has brought in|have brought in|has made',
      ),
      withKind(figure, 'money'),
    ),
    sequence(say('got|gets|get|received|receives|saw|has had|have had|has got'), withKind(figure, 'events')),
    sequence(say('holds|hold|held|carries|carry|carried'), withKind(figure, 'state')),
    soldMost(phrases),
  );
}

/** "Lost the most revenue to stockouts", "sold the fewest units", "brings in the most money". */
function soldMost(phrases: Phrases): Phrase {
  const amount = sequence(
    phrases.determiner,
    either(end(phrases, 'most|highest', 'highest'), end(phrases, 'least|fewest|lowest', 'lowest')),
  );
  const helped = maybe(phrases.say('has|have'));
  return (start) =>
    helped(start).flatMap(({ next: at }) =>
      [1, 2].flatMap((length) =>
        amount(at + length).flatMap((found) =>
          splitMeasure(phrases, { verbAt: at, verbEnd: at + length, at: found.next }).map(({ value, next }) => ({
            value: [...value, ...found.value],
            next,
          })),
        ),
      ),
    );
}

/** "… is the abandonment rate highest", "was the average rating lowest". */
function lastMeasure(phrases: Phrases): Phrase {
  const { determiner, measure, say } = phrases;
  const ends = either(end(phrases, 'highest|the highest', 'highest'), end(phrases, 'lowest|the lowest', 'lowest'));
  return sequence(determiner, maybe(say('average')), measure, ends);
}

function limitOf({ count }: Phrases): Phrase {
  return count((limit) => ({ is: 'limit', limit }));
}

/** A plural whose number is not said. */
function some({ kind }: Phrases): Phrase {
  return change(kind(true), (pieces): Piece[] => [...pieces, { is: 'limit', limit: 'some' }]);
}

/** The things that are ranked: one, a number of them, or a plural whose number is left open. */
function ranked(phrases: Phrases): Phrase {
  const { kind, grain } = phrases;
  return either(
    qualified(phrases, kind(false)),
    qualified(phrases, some(phrases)),
    sequence(limitOf(phrases), qualified(phrases, kind(true))),
    grain,
  );
}

function top(phrases: Phrases): Phrase {
  return either(
    end(phrases, 'top', 'highest'),
    end(phrases, 'bottom', 'lowest'),
    end(phrases, 'best|strongest', 'best'),
    end(phrases, 'worst|weakest', 'worst'),
  );
}

function byMeasure({ say, determiner, measure, rows }: Phrases): Phrase {
  return sequence(
    say('by|in terms of'),
    either(sequence(determiner, measure), sequence(maybe(say('the')), say('number of'), rows)),
  );
}

/** "Top 5 products by revenue", "the three weakest categories by revenue", "best day by revenue". */
function topBy(phrases: Phrases, conditions: Phrase): Phrase {
  const { say, determiner, kind, grain } = phrases;
  const limit = limitOf(phrases);
  const things = either(some(phrases), kind(false), grain);
  const many = either(
    sequence(top(phrases), limit, qualified(phrases, kind(true))),
    sequence(limit, top(phrases), qualified(phrases, kind(true))),
    sequence(top(phrases), qualified(phrases, things)),
  );
  const who = maybe(say('who are|which are'));
  return either(
    sequence(who, determiner, many, conditions, byMeasure(phrases), conditions),
    change(sequence(determiner, many, conditions, say('for'), phrases.measure, conditions), (pieces) =>
      pieces.some(({ is }) => is === 'grain') ? pieces : undefined,
    ),
  );
}
