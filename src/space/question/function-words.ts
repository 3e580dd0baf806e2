import { SHOW_PHRASES } from '../../language/filler-words.ts';
import type { Comparison, Grain } from '../../schema/data-query.ts';

/** A word with a grammatical task in a question. The lists are closed: any other word is content. */
export type FunctionSense =
  | { kind: 'how_many' | 'how_much' | 'share' | 'average' | 'total' }
  | { kind: 'which'; asks: 'thing' | 'person' | 'time' | 'place' }
  | { kind: 'list' | 'by' | 'per' | 'each' | 'not' | 'versus' | 'and' | 'or' | 'pronoun' | 'filler' | 'role' | 'now' }
  | { kind: 'most'; direction: 'highest' | 'lowest'; word: 'most' | 'top' | 'best' }
  | { kind: 'compare'; is: Comparison }
  | { kind: 'or_more'; is: Comparison }
  | { kind: 'between' }
  | { kind: 'grain'; grain: Grain; isTrend?: boolean };

const lists: readonly [FunctionSense, string][] = [
  [
    { kind: 'how_many' },
    'how many|number of|count of|what number of|quantity of|how many different|number of different|how many distinct|how many unique|count',
  ],
  [{ kind: 'how_much' }, 'how much|how much money|what amount of'],
  [
    { kind: 'share' },
    'share of|share|percentage of|percentage|percent of|percent|proportion of|proportion|fraction of|what percent of|what part of',
  ],
  [{ kind: 'average' }, 'average|mean|avg|on average|average of'],
  [{ kind: 'total' }, 'total|sum of|in total|altogether|overall|combined|total of|sum|the total|total amount of'],
  [{ kind: 'which', asks: 'thing' }, 'which|what|what kind of|which of|what are the|which are the'],
  [{ kind: 'which', asks: 'person' }, 'who'],
  [{ kind: 'which', asks: 'time' }, 'when'],
  [{ kind: 'which', asks: 'place' }, 'where'],
  [{ kind: 'list' }, SHOW_PHRASES],
  [
    { kind: 'by' },
    'by|broken down by|split by|grouped by|break down by|for each|for every|in each|in every|across|by each|broken out by|at each|on each|from each|of each|with each',
  ],
  [{ kind: 'each' }, 'each|every'],
  [{ kind: 'per' }, 'per'],
  [
    { kind: 'not' },
    'not|no|without|except|excluding|never|other than|apart from|besides|non|except for|but not|not including|aside from|outside of|outside',
  ],
  [
    { kind: 'versus' },
    'versus|vs|compared to|compared with|against|in comparison to|in comparison with|relative to|as opposed to|than',
  ],
  [{ kind: 'and' }, 'and|as well as|plus|&|along with|next to'],
  [{ kind: 'or' }, 'or'],
  [{ kind: 'pronoun' }, 'their|them|they|those|these|that|it|its|this|ones|one|same|the same|such'],
  [
    { kind: 'most', direction: 'highest', word: 'most' },
    'most|highest|largest|biggest|greatest|maximum|max|the most|the highest|highest number of|most number of|greatest number of|largest number of',
  ],
  [
    { kind: 'most', direction: 'lowest', word: 'most' },
    'fewest|least|lowest|smallest|minimum|min|the fewest|the lowest|lowest number of|fewest number of|smallest number of|least number of',
  ],
  [{ kind: 'most', direction: 'highest', word: 'top' }, 'top'],
  [{ kind: 'most', direction: 'lowest', word: 'top' }, 'bottom'],
  [{ kind: 'most', direction: 'highest', word: 'best' }, 'best|strongest'],
  [{ kind: 'most', direction: 'lowest', word: 'best' }, 'worst|weakest|poorest'],
  [
    { kind: 'compare', is: 'more' },
    'more than|over|above|greater than|higher than|larger than|exceeding|bigger than|better than|longer than',
  ],
  [{ kind: 'compare', is: 'at_least' }, 'at least|no less than|no fewer than|a minimum of|minimum of'],
  [{ kind: 'compare', is: 'less' }, 'less than|under|below|fewer than|lower than|smaller than|worse than|shorter than'],
  [{ kind: 'compare', is: 'at_most' }, 'at most|up to|no more than|a maximum of|maximum of'],
  [{ kind: 'compare', is: 'exactly' }, 'exactly|equal to|precisely'],
  [{ kind: 'or_more', is: 'at_least' }, 'or more|or above|or higher|or better|and above|and up'],
  [{ kind: 'or_more', is: 'at_most' }, 'or less|or fewer|or below|or lower|or worse'],
  [{ kind: 'between' }, 'between'],
  [
    { kind: 'grain', grain: 'day' },
    'daily|by day|per day|each day|every day|day by day|for each day|a day|which day|what day|on which day|on what day|which single day|on which single day',
  ],
  [
    { kind: 'grain', grain: 'week' },
    'weekly|by week|per week|each week|every week|week by week|for each week|a week|which week|in which week|what week',
  ],
  [
    { kind: 'grain', grain: 'month' },
    'monthly|by month|per month|each month|every month|month by month|for each month|month over month|a month|which month|what month|in which month|in what month',
  ],
  [
    { kind: 'grain', grain: 'quarter' },
    'quarterly|by quarter|per quarter|each quarter|every quarter|for each quarter|quarter by quarter|a quarter|which quarter|in which quarter|what quarter',
  ],
  [
    { kind: 'grain', grain: 'year' },
    'yearly|annually|annual|by year|per year|each year|every year|for each year|a year',
  ],
  [
    { kind: 'grain', grain: 'month', isTrend: true },
    'over time|trend|trend over time|development over time|time series|trend of|trend in|trend for|change over time|changed over time|evolve|evolved|evolved over time|develop over time|developed over time',
  ],
  [
    { kind: 'now' },
    'now|right now|currently|at the moment|today|at present|as of now|as of today|current|to date|so far|all time|of all time|ever|in our data|in the data',
  ],
  [
    { kind: 'role' },
    'from|to|into|in|at|through|via|on|out of|for|with|of|among|within|inside|about|regarding|concerning',
  ],
  [
    { kind: 'filler' },
    'a|an|the|our|we|us|i|me|my|you|your|do|does|did|done|is|are|was|were|be|been|being|have|has|had|having|there|please|all|any|some|get|got|gets|hi|hello|hey|thanks|thank you|ok|okay|so|just|also please|can|could|would|kindly|as|exactly how|what is|what are|what was|what were|what is the|how is|how are|do we have|are there|is there|did we get|we have|do we|did we|have we|of all|in all|all of|all our|all the|come from|came from|coming from|come through|came through|coming through|comes from|comes through|go through|broken down|listed|see|know|look like|looks like|figure for|figures for|figure|the figure|data on|data for|stand at|amount to|add up to|our company|company|the company|business|the business|shop have|whose|anything|side by side|in days|in units|in dollars|in usd|in stars|in pieces|those with|those who|those that|ones with|ones who|account for|accounts for|accounted for|next to each other|on record|until now',
  ],
];

const PHRASES: ReadonlyMap<string, FunctionSense> = new Map(
  lists.flatMap(([sense, phrases]) => phrases.split('|').map((phrase) => [phrase, sense] as const)),
);

const LONGEST = 5;

/** Finds the longest function phrase at a place; undefined for a content word. */
export function matchFunction(
  words: readonly string[],
  at: number,
): { sense: FunctionSense; length: number } | undefined {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
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
