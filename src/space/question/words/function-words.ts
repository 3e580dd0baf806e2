import { SHOW_PHRASES } from '../../../language/filler-words.ts';
import type { Comparison, Grain } from '../../../schema/data-query.ts';
import { SOFT_PHRASES } from './soft-words.ts';

/** A word with a grammatical task in a question. The lists are closed: any other word is content. */
export type FunctionSense =
  | { kind: 'how_many' | 'how_much' | 'share' | 'average' | 'total' }
  | { kind: 'which'; asks: 'thing' | 'person' | 'time' | 'place' }
  /** Read over, but never with high confidence. */
  | { kind: 'soft' }
  /** Asks for the difference between two periods. */
  | { kind: 'change'; is: 'up' | 'down' }
  /** Asks for a duration. */
  | { kind: 'how_long' }
  | { kind: 'list' | 'by' | 'per' | 'each' | 'not' | 'versus' | 'and' | 'or' | 'pronoun' | 'filler' | 'role' | 'now' }
  | { kind: 'most'; direction: 'highest' | 'lowest'; word: 'most' | 'top' | 'best' }
  /** The order of the rows that are shown: highest first. `best` depends on the measure. */
  | { kind: 'sorted'; direction: 'highest' | 'lowest'; word: 'most' | 'best' }
  | { kind: 'compare'; is: Comparison }
  | { kind: 'or_more'; is: Comparison }
  | { kind: 'between' }
  | { kind: 'grain'; grain: Grain; isTrend?: boolean }
  /** Asks for the rows of the last answer from the other end. */
  | { kind: 'reversed' }
  /** All but the ones of the last question. */
  | { kind: 'other' }
  /** Asks for numbers instead of shares. */
  | { kind: 'absolute' }
  /** A request to set two things side by side. */
  | { kind: 'contrast' }
  /** Asks which of two things has more; the figures of both are shown. */
  | { kind: 'rival' }
  /** Asks for the number of the things that were named before: "orders above $200, how many?" */
  | { kind: 'count_back' }
  /** A word whose task depends on its neighbours. */
  | { kind: 'context'; rule: ContextRule };

type ContextRule =
  | 'course'
  | 'how'
  | 'split'
  | 'particle'
  | 'edge'
  | 'only'
  | 'mean'
  | 'unit'
  | 'ago'
  | 'together'
  | 'single'
  | 'distinct'
  | 'share_verb'
  | 'reverse'
  | 'first'
  | 'rival'
  | 'idiom'
  | 'that_time';

function grainPhrases(unit: Grain): string {
  const adverbs = {
    day: 'daily',
    week: 'weekly',
    month: 'monthly',
    quarter: 'quarterly',
    year: 'yearly|annually|annual',
  };
  const before =
    'by|per|each|every|for each|for every|in each|in every|a|by each|which|what|in which|in what|on which|on what|which single|in which single|on which single|broken down by|split by|grouped by|across|at the end of each|end of each|at the end of every|end of every|a single';
  const between = 'by|to|over|on|after';
  const phrases = [
    ...before
      .split('|')
      .flatMap((word) => [
        `${word} ${unit}`,
        ...(/^(?:by|across|.*(?:which|what))$/.test(word) ? [`${word} ${unit}s`] : []),
      ]),
    ...['with', 'where', 'in which', 'that had'].map((word) => `${unit}s ${word}`),
    ...between.split('|').map((word) => `${unit} ${word} ${unit}`),
  ];
  return [adverbs[unit], ...phrases].join('|');
}

const UP = 'highest largest biggest greatest most longest'.split(' ');
const DOWN = 'lowest smallest least fewest shortest'.split(' ');

/** "highest first", "from lowest to highest": every pair of two ends. */
function sortPhrases(first: readonly string[], last: readonly string[]): string {
  const pairs = first.flatMap((from) => last.flatMap((to) => [`${from} to ${to}`, `from ${from} to ${to}`]));
  const starts = first.flatMap((word) =>
    ['starting with', 'beginning with'].flatMap((start) => [`${start} ${word}`, `${start} the ${word}`]),
  );
  return [...first.map((word) => `${word} first`), ...pairs, ...starts].join('|');
}

const SORTED: readonly [FunctionSense, string][] = [
  [
    { kind: 'sorted', direction: 'highest', word: 'most' },
    `${sortPhrases(UP, DOWN)}|descending|in descending order|descending order|high to low|from high to low|biggest to smallest|largest to smallest`,
  ],
  [
    { kind: 'sorted', direction: 'lowest', word: 'most' },
    `${sortPhrases(DOWN, UP)}|ascending|in ascending order|ascending order|low to high|from low to high`,
  ],
  [{ kind: 'sorted', direction: 'highest', word: 'best' }, sortPhrases(['best'], ['worst'])],
  [{ kind: 'sorted', direction: 'lowest', word: 'best' }, sortPhrases(['worst', 'weakest'], ['best', 'strongest'])],
];

const lists: readonly [FunctionSense, string][] = [
  [
    { kind: 'how_many' },
    'how many|number|the number|numbers of|the count|number of|count of|what number of|quantity of|how many different|number of different|how many distinct|how many unique|count|no of|how often did|how often was|how often were|how often has|how often have|how many times',
  ],
  [{ kind: 'how_long' }, 'how long|for how long|how many days long'],
  [{ kind: 'how_much' }, 'how much|how much money|what amount of'],
  [
    { kind: 'share' },
    'share of|share|as a rate|as rates|as a share|how much of|how big a slice of|how big a share of|how big a part of|how large a share of|how large a part of|what slice of|slice of|what portion of|portion of|in percent of|as a percentage of|as a share of|in percent|as a percentage|percentage of|percentage|percent of|percent|proportion of|proportion|fraction of|what percent of|what part of|what part|which part of|how many percent|how many percent of|what percentage|what percent|what share|what proportion|what portion|what fraction',
  ],
  [{ kind: 'average' }, 'average|mean|avg|on average|average of'],
  [
    { kind: 'total' },
    'total|cumulative|sum of|in total|altogether|combined|total of|sum|the total|total amount of|all together|taken together|put together|across everything|over everything|for everything',
  ],
  [{ kind: 'which', asks: 'thing' }, 'which|what|what kind of|which of|what are the|which are the'],
  [{ kind: 'which', asks: 'person' }, 'who'],
  [{ kind: 'which', asks: 'time' }, 'when'],
  [{ kind: 'which', asks: 'place' }, 'where'],
  [{ kind: 'list' }, SHOW_PHRASES],
  [
    { kind: 'by' },
    'by|in terms of|when it comes to|measured by|ranked by|sorted by|ordered by|judged by|divided among|divided between|distributed among|distributed across|distributed over|spread across|spread over|split among|split across|split between|shared among|divided up by|broken down by|split by|grouped by|break down by|for each|for every|in each|in every|within each|within every|inside each|across|by each|broken out by|at each|on each|from each|of each|with each|each of|in each of|for each of|for every one of',
  ],
  [{ kind: 'each' }, 'each|every'],
  [{ kind: 'per' }, 'per'],
  [
    { kind: 'not' },
    'not|no|leave out|leaving out|left out|leave aside|leaving aside|ignore|ignoring|exclude|disregard|disregarding|omit|omitting|skip|skipping|minus|not counting|without counting|do not count|not considering|everything other than|everything except|everything but|everyone except|everyone but|anything other than|anything but|all but|all except|without|except|excluding|never|other than|apart from|besides|non|nothing|none of|except for|but not|not including|rather than|instead of|as opposed to not|neither|nor|aside from|outside of|outside',
  ],
  [
    { kind: 'versus' },
    'versus|vs|compared to|compared with|against|in comparison to|in comparison with|relative to|as opposed to|than',
  ],
  [{ kind: 'and' }, 'and|as well as|plus|&|along with|together with|next to'],
  [{ kind: 'or' }, 'or'],
  [{ kind: 'pronoun' }, 'their|theirs|them|they|those|these|that|it|its|this|ones|one|same|the same|such'],
  [
    { kind: 'most', direction: 'highest', word: 'most' },
    'most|most often|most frequently|most common|most frequent|most popular|the most times|most times|commonest|highest|largest|biggest|greatest|maximum|max|the most|the highest|highest number of|most number of|greatest number of|largest number of',
  ],
  [
    { kind: 'most', direction: 'lowest', word: 'most' },
    'fewest|least often|least frequently|least common|least frequent|least popular|most rarely|the fewest times|fewest times|least times|rarest|the least|least|lowest|smallest|minimum|min|the fewest|the lowest|the less|lowest number of|fewest number of|smallest number of|least number of',
  ],
  ...SORTED,
  [{ kind: 'most', direction: 'highest', word: 'top' }, 'top'],
  [{ kind: 'most', direction: 'lowest', word: 'top' }, 'bottom'],
  [{ kind: 'most', direction: 'highest', word: 'best' }, 'best|strongest'],
  [{ kind: 'most', direction: 'lowest', word: 'best' }, 'worst|weakest|poorest'],
  [
    { kind: 'compare', is: 'more' },
    'more than|over|in excess of|above|greater than|higher than|larger than|exceeding|bigger than|better than|longer than',
  ],
  [{ kind: 'compare', is: 'at_least' }, 'at least|at_least|no less than|no fewer than|a minimum of|minimum of'],
  [{ kind: 'compare', is: 'less' }, 'less than|under|below|fewer than|lower than|smaller than|worse than|shorter than'],
  [{ kind: 'compare', is: 'at_most' }, 'at most|at_most|up to|no more than|a maximum of|maximum of'],
  [{ kind: 'compare', is: 'exactly' }, 'exactly|equal to|precisely'],
  [
    { kind: 'or_more', is: 'at_least' },
    'or more|or above|or higher|or better|and above|and up|or older|and older|or longer|or over|and over|or greater|and more',
  ],
  [
    { kind: 'or_more', is: 'at_most' },
    'or less|or fewer|or below|or lower|or worse|or under|and under|and below|or younger|or shorter',
  ],
  [{ kind: 'between' }, 'between'],
  ...(['day', 'week', 'month', 'quarter', 'year'] as const).map((grain): [FunctionSense, string] => [
    { kind: 'grain', grain },
    grainPhrases(grain),
  ]),
  [
    { kind: 'grain', grain: 'month', isTrend: true },
    'over time|trend|trend over time|development over time|time series|trend of|trend in|trend for|change over time|changed over time|evolved over time|develop over time|developed over time',
  ],
  [
    { kind: 'context', rule: 'course' },
    'evolve|evolved|evolving|develop|developed|developing|been going|gone|been doing|trending|trended|progress|progressed',
  ],
  [{ kind: 'context', rule: 'how' }, 'how|how did|how has|how have|how was|how were'],
  [{ kind: 'context', rule: 'split' }, 'break|split|divide|divided|break down|split up|divvy up'],
  [{ kind: 'context', rule: 'particle' }, 'down|up|out'],
  [{ kind: 'context', rule: 'edge' }, 'come to|comes to|came to|run to|ran to|stand at|stood at'],
  [
    { kind: 'context', rule: 'only' },
    'only|only for|only in|but only|but just|but only for|but just for|if you only look at|if we only look at|if i only look at|only look at|only looking at|looking only at|looking at only|only counting|counting only|considering only|only considering|restricted to|limited to|narrowed to|alone|solely',
  ],
  [
    { kind: 'context', rule: 'rival' },
    'more|less|fewer|higher|lower|better|worse|bigger|larger|smaller|more often|more frequently|less often|longer|faster|slower',
  ],
  [{ kind: 'context', rule: 'idiom' }, 'on order|on hold|on display|on offer|on the way|in the pipeline|on back order'],
  [{ kind: 'context', rule: 'mean' }, 'i mean|that is to say|or rather'],
  [{ kind: 'context', rule: 'unit' }, 'day|week|month|quarter|year'],
  [{ kind: 'context', rule: 'ago' }, 'ago|back'],
  [{ kind: 'context', rule: 'together' }, 'together'],
  [
    { kind: 'context', rule: 'reverse' },
    'the other way round|other way round|the other way around|other way around|in reverse order|reverse order|in reverse|reversed|reverse it|reverse the order|the reverse',
  ],
  [{ kind: 'context', rule: 'single' }, 'single|individual'],
  [{ kind: 'context', rule: 'first' }, 'first'],
  [{ kind: 'context', rule: 'distinct' }, 'distinct|different|unique'],
  [
    { kind: 'context', rule: 'share_verb' },
    'represent|represents|represented|contribute|contributes|contributed|make up|makes up|made up|take up|takes up',
  ],
  [
    { kind: 'context', rule: 'that_time' },
    'that month|that week|that quarter|that year|that day|that period|that time|then',
  ],
  [
    { kind: 'change', is: 'up' },
    'change|changed|changes|difference|difference in|the difference|growth|growth in|grow|grew|grown|growing|increase|increased|increase in|rise|rose|risen|gain|gained|improve|improved|go up|went up|gone up|change in|percentage change|percent change|percentage growth|percentage change in',
  ],
  [
    { kind: 'change', is: 'down' },
    'decrease|decreased|decrease in|fall|fell|fallen|drop|dropped|drop in|decline|declined|decline in|shrink|shrank|shrunk|go down|went down|gone down',
  ],
  [{ kind: 'other' }, 'other|the other|others|the others|remaining|the remaining|the rest of the|the rest'],
  [
    { kind: 'absolute' },
    'absolute|absolute numbers|absolute figures|in absolute numbers|in absolute terms|in absolute figures|absolute values',
  ],
  [{ kind: 'contrast' }, 'compare|comparing|comparison of|compare me|contrast|compare the'],
  [
    { kind: 'now' },
    'now|still|right now|currently|at the moment|today|at present|as of now|as of today|current|to date|so far|all time|of all time|ever|in our data|in the data',
  ],
  [
    { kind: 'role' },
    'because of|due to|owing to|caused by|placed by|bought by|purchased by|written by|made by|left by|given by|submitted by|posted by|from|to|into|in|at|through|via|on|out of|for|with|of|among|within|inside|about|regarding|concerning',
  ],
  [
    { kind: 'filler' },
    'a|an|the|our|we|us|i|me|my|you|your|do|does|did|done|is|are|was|were|be|been|being|have|has|had|having|there|please|all|any|some|get|got|gets|hi|hello|hey|thanks|thank you|ok|okay|so|just|also please|can|could|would|kindly|as|exactly how|what is|what are|what was|what were|what is the|how is|how are|do we have|are there|is there|did we get|we have|do we|did we|have we|of all|in all|all of|all our|all the|come from|came from|coming from|come through|came through|coming through|made of|made from|made out of|comes from|comes through|go through|broken down|listed|see|know|look like|looks like|figure for|figures for|figure|the figure|data on|data for|stand at|amount to|add up to|our company|company|the company|business|the business|shop have|whose|anything|side by side|in days|in dollars|in usd|in stars|the one with|the ones with|that is|where both apply|both apply|both conditions apply|as conditions|combined as conditions|shows|showed|were recorded|was recorded|recorded|on the books|list them|show them|name them|list those|how did we do on|how did we do with|how did we do in|how are we doing on|how are we doing in|how are we doing with|how do we do on|those with|those who|those that|ones with|ones who|one that|one which|ones that|ones which|account for|accounts for|accounted for|next to each other|on record|until now|overall|the overall|actual|actually|respectively|in the end|at all|anything at all|each one|did it|kind of|sort of|i wonder|wondering|quick question|by any chance|out there|go for|what do|what does',
  ],
];

/** Later lists win, so that a word of grammar is never a soft one. */
const PHRASES: ReadonlyMap<string, FunctionSense> = new Map(
  [[{ kind: 'soft' }, SOFT_PHRASES] as const, ...lists].flatMap(([sense, phrases]) =>
    phrases.split('|').map((phrase) => [phrase, sense] as const),
  ),
);

const LONGEST = 6;

/** Finds the longest function phrase at a place; undefined for a content word. */
export function matchFunction(
  words: readonly string[],
  at: number,
  most = LONGEST,
): { sense: FunctionSense; length: number } | undefined {
  for (let length = Math.min(LONGEST, most, words.length - at); length > 0; length--) {
    const sense = PHRASES.get(words.slice(at, at + length).join(' '));
    if (sense) return { sense, length };
  }
  return undefined;
}

export function isFunctionWord(word: string): boolean {
  return PHRASES.has(word);
}

/** Words that a typo may be corrected to. */
export const CORRECTABLE: readonly string[] = [
  ...new Set([...PHRASES.keys()].flatMap((phrase) => phrase.split(' '))),
].filter((word) => word.length >= 4);
