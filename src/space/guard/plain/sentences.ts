import { counts } from './counts.ts';
import { asPart, type Parts, qualified, withKind } from './parts.ts';
import type { Phrase, Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { rankings } from './rankings.ts';
import { change, either, maybe, repeat, sequence } from './rules.ts';
import { pastOf } from './vocabulary.ts';

const OPENINGS =
  "please|hi|hello|hey|,|can you|could you|show|show me|give me|tell me|list|i want to know|i want to see|i would like to know|i would like to see|i'd like to know|what is|what are|what was|what were|let me see|calculate|report|name";

/**
 * The forms of plain questions. Each of them has one meaning, so that a question which is one of them as a whole needs no
 * guess. Forms that people use for several things are not here: such questions are answered, but never with high
 * confidence.
 */
export function plainSentence(phrases: Phrases, parts: Parts): Phrase {
  const { say, namedValue } = phrases;
  const form = either(
    ...[figures, counts, rankings, shares, groupShares, comparisons, sides].map((make) => make(phrases, parts)),
  );
  const about = either(sequence(parts.condition, say(',')), sequence(namedValue, say(':')));
  return sequence(
    repeat(say(OPENINGS), 3),
    maybe(about),
    repeat(say(OPENINGS), 2),
    form,
    repeat(say('please|, please|in percent|, in percent|overall|in total|altogether'), 2),
  );
}

/** "Total revenue of Denim by month in 2025", "monthly revenue", "revenue and units sold by category". */
function figures(phrases: Phrases, { figure, unit, tail, conditions }: Parts): Phrase {
  const { say, adverb, determiner, namedValue } = phrases;
  const two = maybe(sequence(say('and|and the'), figure));
  const each = sequence(say('for each|for every|in each|by'), unit, maybe(say(',')));
  const amount = sequence(say('how much|what'), withKind(figure, 'amount'));
  const had = either(
    say('did we make|did we have|did we earn|did we get|did we generate|did we take in|do we have|is there|was there'),
    sequence(say('does|did|do'), determiner, namedValue, say('make|have|earn|generate|bring in')),
    say('came|comes|come|was made|was generated'),
  );
  return either(
    sequence(figure, two, tail),
    sequence(figure, tail, sorted(phrases)),
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
    sequence(lostAmount(phrases), tail),
  );
}

/** "How much revenue did we lose to stockouts": the lost revenue. */
function lostAmount(phrases: Phrases): Phrase {
  const { say, words, measureNamed } = phrases;
  return (at) =>
    say('how much|how many')(at).flatMap(({ next: object }) =>
      say('did we|have we')(object + 1).flatMap(({ next: verb }) =>
        [0, 1, 2].flatMap((tail) => {
          const rest = words.slice(verb + 1, verb + 1 + tail);
          const value = measureNamed([words[object] ?? '', pastOf(words[verb] ?? ''), ...rest].join(' '));
          return value && rest.length === tail ? [{ value, next: verb + 1 + tail }] : [];
        }),
      ),
    );
}

function sorted({ say }: Phrases): Phrase {
  const all: Piece = { is: 'limit', limit: 'all' };
  return sequence(
    maybe(say(',')),
    either(
      say('highest first|largest first|most first|descending|in descending order', { is: 'end', end: 'highest' }, all),
      say('lowest first|smallest first|fewest first|ascending|in ascending order', { is: 'end', end: 'lowest' }, all),
      say('best first|starting with the best', { is: 'end', end: 'best' }, all),
      say('worst first|starting with the worst', { is: 'end', end: 'worst' }, all),
    ),
  );
}

const SHARE =
  'share of|percentage of|proportion of|percent of|fraction of|part of|what share of|what percentage of|what proportion of|what percent of|what fraction of|what part of|which share of|the share of|the percentage of|how much of';

/** "What share of Gold customers is churned", "what percentage of revenue comes from Denim". */
function shares(phrases: Phrases, { nounPhrase, conditions, state, tail }: Parts): Phrase {
  const { say, determiner, namedValue, light, filter, thing, inPeriod, place } = phrases;
  const measure = qualified(phrases, phrases.measure);
  const share = say(SHARE, { is: 'share', within: 'whole' });
  const total = maybe(say('total'));
  const whole = either(
    sequence(determiner, total, maybe(sequence(phrases.period, maybe(say("'s")))), withKind(measure, 'total')),
    sequence(nounPhrase, conditions),
  );
  const is = say('is|are|was|were|has|have|had|has been|have been|are about|came|comes|come|is made');
  const part = either(
    sequence(is, asPart(state)),
    sequence(light, asPart(either(filter, place))),
    sequence(
      say('does|do|did'),
      determiner,
      asPart(namedValue),
      maybe(thing),
      say('account for|make up|contribute|have'),
    ),
  );
  const of = say('of|out of');
  const asked = say('what share|what percentage|what percent|what proportion|what part|how many percent', {
    is: 'share',
    within: 'whole',
  });
  return either(
    sequence(share, whole, part, maybe(inPeriod), tail),
    sequence(of, whole, say(','), asked, part, maybe(inPeriod)),
  );
}

/** "Revenue share of each category", "what share of revenue does each channel account for". */
function groupShares({ say, measure, column, determiner, inPeriod }: Phrases, { figure }: Parts): Phrase {
  const share: Piece = { is: 'share', within: 'group' };
  const total = maybe(say('total'));
  const whole = sequence(determiner, total, withKind(measure, 'total'));
  return either(
    sequence(whole, say('share of each|share by|share per', share), column(false), maybe(inPeriod)),
    sequence(
      say('what share of|what percentage of|what part of', share),
      whole,
      say('does each|does every|did each|is from each|comes from each|came from each'),
      column(false),
      maybe(say('account for|make up|contribute|have|generate')),
      maybe(inPeriod),
    ),
    sequence(
      figure,
      say('by'),
      column(false),
      say('and share of the total|with share of the total|as a share of the total', share),
    ),
  );
}

/** "Compare revenue in June 2025 with May 2025", "revenue in June versus May", "how did revenue in Q3 compare with Q2". */
function comparisons(phrases: Phrases, { figure, conditions, groups }: Parts): Phrase {
  const { say, period, inPeriod } = phrases;
  const versus = sequence(maybe(say(',')), say('vs|versus|compared to|compared with|against'));
  const other = sequence(maybe(say('in')), period);
  const changed = say('change|develop');
  const how = say('by how much|by what percentage|by what percent|how much|how');
  const reversed = (phrase: Phrase): Phrase => change(phrase, (pieces) => swapPeriods(pieces));
  return either(
    sequence(say('compare'), figure, conditions, inPeriod, say('with|to|and'), other),
    sequence(figure, conditions, maybe(groups), inPeriod, versus, other),
    sequence(say('how did|how does|how do'), figure, inPeriod, say('compare with|compare to'), other),
    reversed(sequence(how, say('did|has|have'), figure, conditions, changed, say('from'), period, say('to'), period)),
  );
}

/** "From Q2 to Q3": the later one is asked about, the earlier one stands beside it. */
function swapPeriods(pieces: Piece[]): Piece[] | undefined {
  const periods = pieces.filter((piece) => piece.is === 'period');
  const [first, second] = periods;
  if (!first || !second || first.days.from >= second.days.from) return undefined;
  return [...pieces.filter((piece) => piece.is !== 'period'), second, first];
}

/** "Average order value in the South compared to the North": both are shown. */
function sides({ say, namedValue, determiner, inPeriod }: Phrases, { figure }: Parts): Phrase {
  const versus = say('vs|versus|compared to|compared with|against');
  const preposition = maybe(say('in|from|for|of|at|on|through|via'));
  const side = change(sequence(preposition, determiner, namedValue), (pieces) =>
    pieces.map((piece): Piece => (piece.is === 'value' ? { ...piece, isSide: true } : piece)),
  );
  return either(
    sequence(figure, maybe(inPeriod), side, versus, side, maybe(inPeriod)),
    sequence(say('compare'), figure, side, say('and|with|to'), side, maybe(inPeriod)),
  );
}
