import type { Comparison } from '../../../schema/data-query.ts';
import { type Parts, qualified, withKind } from './parts.ts';
import { COMPARISONS, type Phrase, type Phrases } from './phrases.ts';
import type { Piece } from './pieces.ts';
import { change, either, maybe, type Rule, sequence } from './rules.ts';

/** "How many Gold customers are there in the West", "how many orders were placed in October". */
export function counts(phrases: Phrases, parts: Parts): Phrase {
  const { say, light, measure, determiner, namedValue, thing, filter } = phrases;
  const { nounPhrase, tail, state, conditions } = parts;
  const many = say('how many');
  const had = say(
    'are there|were there|do we have|did we have|did we get|did we receive|have we got|have we had|has there been|have there been|do we have in total',
  );
  const ours = sequence(say('do we|did we|have we'), light);
  const done = sequence(say('were|was|are|have been|have'), light);
  const be = sequence(say('are|were|have|has|is|was|had|are currently'), state);
  const someone = either(qualified(phrases, thing), namedValue);
  const theirs = sequence(
    say('did|does|do|has|have'),
    determiner,
    someone,
    either(say('have|get|had|got|receive'), light),
  );
  return either(
    sequence(
      many,
      nounPhrase,
      conditions,
      either(had, ours, done, be, theirs, light, sequence(light, filter)),
      maybe(say('in total')),
      tail,
    ),
    sequence(many, nounPhrase, maybe(say('are|were')), tail),
    sequence(many, withKind(qualified(phrases, measure), 'number'), maybe(either(had, theirs)), tail),
    soldUnits(phrases, parts),
    deeds(phrases, parts),
    limits(phrases, parts),
  );
}

/** "How many units of Aspen Boots were sold": the units sold. */
function soldUnits({ say, words, measureNamed, determiner, namedValue }: Phrases, { tail }: Parts): Phrase {
  const of = sequence(say('of'), determiner, namedValue);
  const sold: Phrase = (at) =>
    say('how many')(at).flatMap(({ next: object }) =>
      maybe(of)(object + 1).flatMap((named) =>
        say('were|was|have we|have been|are')(named.next).flatMap(({ next: verb }) =>
          [0, 1, 2].flatMap((rest) => {
            const own = words.slice(verb, verb + 1 + rest);
            const value = measureNamed([words[object] ?? '', ...own].join(' '));
            return value && own.length === rest + 1
              ? [{ value: [...value, ...named.value], next: verb + 1 + rest }]
              : [];
          }),
        ),
      ),
    );
  return sequence(sold, tail);
}

/** "How many customers ordered in October", "how many customers signed up in 2024", "… have not ordered since June". */
function deeds({ say, deed, namedValue, determiner, inPeriod }: Phrases, { nounPhrase, conditions }: Parts): Phrase {
  const many = say('how many|number of');
  const object = maybe(either(say('an order|orders|anything|something'), sequence(determiner, namedValue)));
  const nothing = maybe(say('anything|an order|orders'));
  const not = say("did not|didn't|have not|haven't|have never|never|do not|who did not|who have not");
  return either(
    sequence(
      many,
      nounPhrase,
      maybe(say('have|who|who have|has')),
      deed(false),
      asObjects(sequence(object, conditions)),
    ),
    sequence(many, nounPhrase, not, deed(true), nothing, maybe(inPeriod)),
  );
}

/** "Bought Gold" is not said of Gold customers, and "bought from women" not of customers who are women. */
function asObjects(phrase: Phrase): Phrase {
  return change(phrase, (pieces) =>
    pieces.map((piece): Piece => (piece.is === 'value' ? { ...piece, isObject: true } : piece)),
  );
}

/** A comparison of a figure with a number: "more than 5 orders", "revenue above 400,000". */
function bound({ say, bound: value }: Phrases, figure: Rule<Piece[]>, order: 'figure first' | 'number first'): Phrase {
  const comparisons = Object.entries(COMPARISONS) as [Comparison, string][];
  return either(
    ...comparisons.map(([comparison, words]): Phrase => {
      const parts =
        order === 'figure first'
          ? sequence(figure, maybe(say('of')), say(words), value)
          : sequence(say(words), value, maybe(say('in')), figure);
      return change(parts, (pieces) => toHaving(pieces, comparison));
    }),
  );
}

/** Joins a figure and a number to the condition that compares them. */
function toHaving(pieces: Piece[], comparison: Comparison): Piece[] | undefined {
  const figure = pieces.find((piece) => piece.is === 'figure');
  const number = pieces.find((piece) => piece.is === 'bound');
  if (!figure || !number) return undefined;
  return [{ is: 'having', figure: figure.figure, comparison, value: number.value, isMoney: number.isMoney }];
}

/** "How many customers have more than 5 orders", "which brands have revenue above 400,000". */
function limits(phrases: Phrases, { nounPhrase, conditions }: Parts): Phrase {
  const { say, rows, measure, kind } = phrases;
  const orders = either(rows, singular(phrases));
  const counted = bound(phrases, orders, 'number first');
  const amount = either(bound(phrases, measure, 'figure first'), bound(phrases, measure, 'number first'));
  const has = say('have|had|with|have made|made|have had');
  return either(
    sequence(
      say('how many|number of'),
      nounPhrase,
      say('have|had|with|placed|made|have placed|have made|who placed|who have'),
      counted,
    ),
    sequence(maybe(say('which')), qualified(phrases, kind(true)), has, change(amount, withFigure), conditions),
    sequence(maybe(say('which')), qualified(phrases, entityRows(phrases)), has, counted),
    sequence(maybe(say('which')), qualified(phrases, kind(true)), soldLimit(phrases), conditions),
  );
}

/** "Exactly one order" */
function singular({ words, noun }: Phrases): Phrase {
  return (at) => (words[at - 1] !== 'one' && words[at - 1] !== '1' ? [] : noun(at));
}

/** The entities themselves are listed where what they have is of another table. */
function entityRows({ thing, rows }: Phrases): Phrase {
  return (at) =>
    rows(at).flatMap((found) =>
      thing(at)
        .filter(({ next }) => next === found.next)
        .map(({ value: [piece] }) => ({
          value: [...found.value, ...(piece?.is === 'thing' ? [{ is: 'group' as const, senses: piece.senses }] : [])],
          next: found.next,
        })),
    );
}

/** "Which products sold over 150 units": the units sold. */
function soldLimit(phrases: Phrases): Phrase {
  const { words, measureNamed } = phrases;
  return (at) => {
    const verb = words[at] ?? '';
    const figure: Phrase = (from) => {
      const value = measureNamed(`${words[from]} ${verb}`);
      return value ? [{ value, next: from + 1 }] : [];
    };
    return change(bound(phrases, figure, 'number first'), withFigure)(at + 1);
  };
}

/** The compared figure is shown, too. */
function withFigure(pieces: Piece[]): Piece[] {
  return pieces.flatMap((piece): Piece[] =>
    piece.is === 'having' ? [{ is: 'figure', figure: piece.figure }, piece] : [piece],
  );
}
