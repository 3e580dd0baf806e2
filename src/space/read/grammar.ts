import { SHOW_PHRASES } from '../../language/filler-words.ts';
import type { Comparison, Grain } from '../../schema/data-query.ts';

/** The task of a closed word in a question. Every other word names a thing of the model, or is unknown. */
export type Op =
  | { is: 'ask' | 'when' | 'list' | 'how_many' | 'how_much' | 'average' | 'total' | 'share' | 'by' | 'per' | 'each' }
  | { is: 'most'; direction: 'highest' | 'lowest'; word: 'most' | 'top' | 'best' }
  | { is: 'sorted'; direction: 'highest' | 'lowest' }
  | { is: 'bound'; comparison: Comparison }
  | { is: 'bound_after'; comparison: Comparison }
  | { is: 'between' | 'not' | 'and' | 'or' | 'versus' | 'compare' | 'distinct' | 'now' }
  | { is: 'change'; direction: 'highest' | 'lowest' | undefined }
  | { is: 'grain'; grain: Grain }
  /** Ends the part of a question that names the whole of a share: "of customers | have churned". */
  | { is: 'verb' }
  | { is: 'place' }
  | { is: 'pronoun' }
  | { is: 'soft' }
  /** A word that changes the meaning. A rule must read it, or the question is declined. */
  | { is: 'operator' };

const UNITS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
const ADVERBS = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  quarter: 'quarterly',
  year: 'yearly|annually|annual',
};

function grainPhrases(unit: Grain): string {
  const before = 'by|each|every|for each|for every|in each|in every|per|which|what|in which|in what|on which|across';
  return [
    ADVERBS[unit],
    unit,
    ...before.split('|').flatMap((word) => [`${word} ${unit}`, `${word} ${unit}s`]),
    ...['by', 'to', 'over', 'on', 'after'].map((word) => `${unit} ${word} ${unit}`),
    `over the ${unit}s`,
  ].join('|');
}

const LISTS: readonly (readonly [Op, string])[] = [
  [
    { is: 'how_many' },
    'how many|head count|headcount|number of|the number of|count of|count|how often|how many times|number|total number of|no of|how many of',
  ],
  [{ is: 'how_much' }, 'how much|how much money|what amount of|how much of'],
  [{ is: 'ask' }, 'which|what|who|whose|where|which of|what kind of|which ones'],
  [{ is: 'when' }, 'when'],
  [{ is: 'list' }, `${SHOW_PHRASES}|find|find me|list of`],
  [{ is: 'average' }, 'average|mean|avg|on average|typical|typically'],
  [{ is: 'total' }, 'total|sum of|in total|altogether|combined|sum|the total|total amount of|all together'],
  [
    { is: 'share' },
    'how big a slice of|how big a share of|how large a share of|what slice of|slice of|share of|share|percentage of|percentage|percent of|percent|proportion of|proportion|fraction of|what part of|portion of|portion|in percent|as a percentage|as a share',
  ],
  [
    { is: 'by' },
    'by|divided among|divided between|divided over|divided across|split among|distributed across|distributed over|for each|for every|in each|in every|in each of|for each of|at each of the|in each of the|for each of the|within each|broken down by|split by|grouped by|across|by each|at each|of each|on each|from each|split across|per each|in terms of|ranked by|sorted by|ordered by|measured by|based on',
  ],
  [{ is: 'each' }, 'each|every'],
  [{ is: 'per' }, 'per'],
  [
    { is: 'most', direction: 'highest', word: 'most' },
    'most|the most|highest|largest|biggest|greatest|maximum|max|most often|most frequently|most common|most popular|longest|strongest',
  ],
  [
    { is: 'most', direction: 'lowest', word: 'most' },
    'fewest|least|lowest|smallest|minimum|min|least often|least common|least popular|shortest|the least|weakest',
  ],
  [{ is: 'most', direction: 'highest', word: 'top' }, 'top|leading'],
  [{ is: 'most', direction: 'lowest', word: 'top' }, 'bottom'],
  [{ is: 'most', direction: 'highest', word: 'best' }, 'best'],
  [{ is: 'most', direction: 'lowest', word: 'best' }, 'worst|poorest'],
  [
    { is: 'sorted', direction: 'highest' },
    'highest first|best first|most first|largest first|biggest first|descending|from highest to lowest|high to low|highest to lowest|best to worst|most to least|top first|greatest first',
  ],
  [
    { is: 'sorted', direction: 'lowest' },
    'lowest first|worst first|least first|smallest first|ascending|from lowest to highest|low to high|lowest to highest|worst to best|least to most|fewest first|bottom first',
  ],
  [
    { is: 'bound', comparison: 'more' },
    'more than|over|above|greater than|higher than|larger than|exceeding|in excess of|bigger than|longer than|better than|exceed|exceeds|exceeded',
  ],
  [{ is: 'bound', comparison: 'at_least' }, 'at least|at_least|no less than|no fewer than|a minimum of|minimum of'],
  [
    { is: 'bound', comparison: 'less' },
    'less than|under|below|fewer than|lower than|smaller than|shorter than|worse than',
  ],
  [{ is: 'bound', comparison: 'at_most' }, 'at most|at_most|up to|no more than|a maximum of|not more than'],
  [{ is: 'bound', comparison: 'exactly' }, 'exactly|equal to|precisely'],
  [
    { is: 'bound_after', comparison: 'at_least' },
    'or more|or above|or higher|or better|and above|and up|or longer|or over',
  ],
  [{ is: 'bound_after', comparison: 'at_most' }, 'or less|or fewer|or below|or lower|or under|or worse'],
  [{ is: 'between' }, 'between'],
  [
    { is: 'not' },
    'not|no|never|without|except|excluding|other than|apart from|except for|but not|not including|non|excl|not counting|leaving out|leave out|ignoring|besides|all but|everything but|everything except',
  ],
  [{ is: 'and' }, 'and|as well as|plus|along with|together with|&|and also'],
  [{ is: 'or' }, 'or'],
  [
    { is: 'versus' },
    'versus|vs|compared to|compared with|against|in comparison to|in comparison with|relative to|than',
  ],
  [
    { is: 'compare' },
    'compare|compared|compares|comparing|comparison|comparison of|difference between|difference|compare the|side by side|the difference between',
  ],
  [
    { is: 'change', direction: 'highest' },
    'growth|grew|grow|grown|increase|increased|rise|rose|gain|gained|improve|improved|growing|growth rate|went up|increases',
  ],
  [
    { is: 'change', direction: 'lowest' },
    'decrease|decreased|fell|fall|drop|dropped|decline|declined|shrink|shrank|went down|shrunk',
  ],
  [{ is: 'change', direction: undefined }, 'change|changed|changes|develop|developed|did it change'],
  [{ is: 'distinct' }, 'different|distinct|unique|separate'],
  [{ is: 'now' }, 'now|right now|currently|current|at the moment|today|as of today|these days'],
  ...UNITS.map((grain): readonly [Op, string] => [{ is: 'grain', grain }, grainPhrases(grain)]),
  [
    { is: 'grain', grain: 'month' },
    'over time|trend|trends|trend of|development|development of|evolve|evolved|evolution of|trended|trending|monthly trend|trend by month',
  ],
  [
    { is: 'verb' },
    'is|are|was|were|has|have|had|did|do|does|come from|comes from|came from|come|comes|came|made by|that|which are|who are|generated by|made',
  ],
  [
    { is: 'place' },
    'in|at|from|to|into|on|for|of|with|within|through|via|inside|among|during|out of|about|because|because of|due to',
  ],
  [
    { is: 'pronoun' },
    'they|them|their|theirs|those|these|it|its|that one|this one|ones|same|the same|of those|of them|of these|those ones|them all|both of them|is that|was that|are that|were that|is it|was it|there|that time|that period|that month|that day|that week|that quarter|that year|in that time',
  ],
  [
    { is: 'operator' },
    'but|second|third|fourth|double|twice|triple|nothing|else|both|half|median|ratio|only|except that|neither|nor|either|while|whereas|instead|rather|if|unless|until|first|last|next|previous|more|less|fewer|higher|lower|better|worse|bigger|larger|smaller|longer|shorter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|weekends|weekday|weekdays|morning|evening|per 100|together|consecutive|in a row|cumulative|running total|rank|correlation|correlate|recent|latest|newest|oldest|earliest|average of the averages|standard deviation|variance|percentile|quartile|mode|range|predict|forecast|will|next to|besides that|other|others|another|rest|remaining|same as|as many as|as much as|times|such as|outside',
  ],
];

/** Words that add nothing to a question: politeness, articles, auxiliaries, wishes for the form of the answer. */
const SOFT = [
  'if you only look at|only look at|combined as conditions|where both apply|both apply|that is|list them|show them|name them|present|overall|names|names of|the names of|calendar|period|whole period|the period|enough|classed|classified|write|wrote|written|heads|split|split it|split that|break|break it down|break that down|break down|are there|is there|were there|was there|there are|there is|there were|there was|live|lives|living|stay|stayed|begin|began|start|started|turn|turned|turn into|carried|goods|base|actual|realised|realized|depart|departed|arrive|arrived|arrives|in days|in dollars|in usd|in stars|in units|in value|dollars|how|single|ever|since|up|down|perform|performs|performed|performing|suffer|suffered|suffers|lasted|mention|mentions|mentioned|mentioning|hit|face|faced|see|saw|seen|experience|experienced|do well|doing|do best|each of|so many|many|much|whose|made of|made from|out there|a month|back|through|by far|a|an|the|our|we|us|i|me|my|you|your|be|been|being|having|there|please|all|some|got|get|gets|hi|hello|hey|thanks|thank you|ok|okay|so|just|also|can|as|exactly how|too|well|really|actually|very|quite|ever|yet|still|already|then|here|this|that|he|she|his|her|him',
  'any|should|would|could|whole|again|such as|anything|anyone|something|someone|everything|everyone|somewhere|anywhere|one|stuff|of all|in all|all of|all our|all the|at all|do we have|are there|is there|we have',
  'who|which|whom|that is|that are|that have|that has|that were|that was|who have|who has|who are|which have|which has|which are|the ones|those who|those with|those that|ones with|ones who|with a|with an|with the',
  'as a chart|as a graph|as a table|as a list|in a chart|in a table|chart|graph|plot|table|bar chart|line chart|pie chart|draw|visualise|visualize|rounded|round|roughly|approximately|about how|figure|figures|data|stats|statistics|numbers|breakdown|breakdown of|overview of|report|summary of|ranking|ranking of|rank the|details',
  'give|show|shows|showed|see|know|want|need|like to know|wondering|wonder|curious|look|looking|look like|say|help|i would like|would like|want to know|need to know|let|know about|interested|interested in|check|calculate|compute|work out|figure out|find out|pull|pull up|run|remind me|could you|can you|would you|will you',
  'company|business|our company|the business|shop have|account for|accounts for|accounted for|amount to|add up to|stand at|recorded|on record|record|case|cases|entry|entries|happen|happened|happens|occur|occurred|take place|go|goes|went|going|going on|place|placed|put|keep|kept|hold|holds|held|use|used|exist|give out|receive|received|receives|turn|contain|contains|include|including|involve|offer|carry|sit|sitting|lying|lie',
  'over all|across all|each one|respectively|kind of|sort of|by any chance|basically|simply|in detail|in particular|specifically|generally|in general|frequently|often|usually|mostly|mainly|especially|amount|amount of|level|level of|size of|value of|rate of|volume of|how high|how big|how large|how low|high|low|big|large|small|main|key|biggest|new ones|yes|no worries|um|uh|hm|hmm|lately|per se|i mean|you know|if possible|asap|quick|quickly|question|quick question|morning all|good morning|time|far|so far|end up|ended up|i like|manage|manage to|managed|managed to|sit|sits|everywhere|all over|by the way|amount|counting|counted|added up|added together|percent wise|wise|in date order|in order|date order|set|quick one|wants|targeted',
].join('|');

const PHRASES = new Map<string, Op>();
for (const [op, text] of LISTS) for (const phrase of text.split('|')) if (!PHRASES.has(phrase)) PHRASES.set(phrase, op);
for (const phrase of SOFT.split('|')) if (!PHRASES.has(phrase)) PHRASES.set(phrase, { is: 'soft' });

const MAX_WORDS = 5;

/** The longest closed phrase at a place. */
export function matchPhrase(words: readonly string[], at: number): { op: Op; length: number } | undefined {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--) {
    const op = PHRASES.get(words.slice(at, at + length).join(' '));
    if (op) return { op, length };
  }
  return undefined;
}

export function isClosedWord(word: string): boolean {
  return PHRASES.has(word);
}

/** Closed words that a misspelt word may stand for. */
export const CORRECTABLE: readonly string[] = [...PHRASES.keys()].filter((word) => /^\w{4,}$/.test(word));
