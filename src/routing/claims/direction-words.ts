import type { Part, Sentence } from '../check/answer-parts.ts';
import type { ExecutedQuery } from '../check/executed-query.ts';
import type { ClaimText } from './claim-text.ts';
import type { Mention } from './find-mentions.ts';

export type End = 'highest' | 'lowest';

/** A word that claims a place in an order. */
export interface DirectionWord extends Part {
  direction: End;
  kind: 'superlative' | 'comparative' | 'change' | 'limit';
  /** "Best" and "worst" depend on whether more is better. */
  isValue: boolean;
  /** "Second highest", "one of the highest": not the very end. */
  isWeak: boolean;
}

/** A direction word with its sentence and its query. */
export interface Directed {
  claims: ClaimText;
  sentence: Sentence;
  word: DirectionWord;
  executed: ExecutedQuery;
}

const HIGHEST = String.raw`highest|most|largest|biggest|greatest|top|tops|topped|leads|led|leading|leader|peak(?:s|ed)?|maximum|number one|(?:ranks?|ranked|comes?|came) first|first place`;
const LOWEST = String.raw`lowest|least|fewest|smallest|bottom|minimum|slowest|trough|low(?=[*\s]*:)|(?:ranks?|ranked|comes?|came) last|last place`;
const BEST = 'best|strongest';
const WORST = 'worst|weakest|poorest';
const MORE = String.raw`(?:more|higher|greater|larger|bigger) than|ahead of|outsold|outperform(?:s|ed)?|exceed(?:s|ed)`;
const LESS = String.raw`(?:less|fewer|lower|smaller) than|behind|trail(?:s|ed|ing)?`;
const BETTER = '(?:better|stronger) than';
const WORSE = '(?:worse|weaker) than';
const UP = String.raw`rose|rises|risen|rising|increas(?:e|es|ed|ing)|grew|grow(?:s|n|ing)|growth|climb(?:s|ed|ing)?|jump(?:s|ed)?|gain(?:s|ed)?|surg(?:e|es|ed)|(?:went|is|are|was|were|moved|trend:?|trending) up|up (?:from|by|on|compared|against|versus)|(?<=[,:→.–][*\s]*)up(?=[.!\s]*(?:$|\n))`;
const DOWN = String.raw`fell|falls|fallen|falling|drop(?:s|ped|ping)?|decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|shrank|shrunk|shrinks|slip(?:s|ped)?|dipp?(?:s|ed)?|(?:went|is|are|was|were|moved|trend:?|trending) down|down (?:from|by|on|to|compared|against|versus)|(?<=[,:→.–][*\s]*)down(?=[.!\s]*(?:$|\n))`;
const ABOVE = String.raw`(?:above|over|more than|greater than|higher than|exceeding|at least|from)(?=\s+[$€£]?\d)|>\s?(?=[$€£]?\d)`;
const BELOW = String.raw`(?:below|under|less than|fewer than|lower than|at most|up to)(?=\s+[$€£]?\d)|<\s?(?=[$€£]?\d)`;

const WORDS: [RegExp, End, DirectionWord['kind'], boolean][] = [
  [wordsOf(HIGHEST), 'highest', 'superlative', false],
  [wordsOf(LOWEST), 'lowest', 'superlative', false],
  [wordsOf(BEST), 'highest', 'superlative', true],
  [wordsOf(WORST), 'lowest', 'superlative', true],
  [wordsOf(MORE), 'highest', 'comparative', false],
  [wordsOf(LESS), 'lowest', 'comparative', false],
  [wordsOf(BETTER), 'highest', 'comparative', true],
  [wordsOf(WORSE), 'lowest', 'comparative', true],
  [wordsOf(UP), 'highest', 'change', false],
  [wordsOf(DOWN), 'lowest', 'change', false],
  [wordsOf(ABOVE), 'highest', 'limit', false],
  [wordsOf(BELOW), 'lowest', 'limit', false],
];

function wordsOf(pattern: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}])`, 'giu');
}

const NOT_A_RANK_BEFORE = /\b(?:at|on)\s+$/i;
const NOT_A_RANK_BEHIND = /^\s+(?:of\b|recent|likely|probabl|common|often|important|notabl)/i;
const WEAK =
  /\b(?:second|third|fourth|fifth|next|nearly|almost|among|one of|some of|not)(?:\s+(?:the|to|from))*\s+(?:\p{L}+\s+)?$/iu;
const PLANNED = /\b(?:could|would|may|might|should|to|will|can|help|if|whether|not|n['’]t)\s+(?:\p{L}+\s+){0,1}$/iu;

/** Finds words that claim a direction. */
export function findDirections(text: string): DirectionWord[] {
  return WORDS.flatMap(([pattern, direction, kind, isValue]) =>
    [...text.matchAll(pattern)].flatMap((match): DirectionWord[] => {
      const part = { start: match.index, end: match.index + match[0].length };
      const before = text.slice(Math.max(0, part.start - 40), part.start);
      const isRank = kind !== 'superlative' || isRankWord(match[0], before, text.slice(part.end, part.end + 20));
      if (!isRank || (kind === 'change' && PLANNED.test(before))) return [];
      return [{ ...part, direction, kind, isValue, isWeak: WEAK.test(before) }];
    }),
  );
}

function isRankWord(word: string, before: string, behind: string): boolean {
  if (/^(?:most|least)$/i.test(word) && NOT_A_RANK_BEFORE.test(before)) return false;
  return !(/^most$/i.test(word) && NOT_A_RANK_BEHIND.test(behind));
}

const RANK = new RegExp(String.raw`^(?:${HIGHEST}|${LOWEST}|${BEST}|${WORST})$`, 'i');
const RANK_BEFORE = new RegExp(String.raw`\b(?:${HIGHEST}|${LOWEST}|${BEST}|${WORST})\s+(?:number of\s+)?$`, 'i');

/** Words such as "top" can also be words for a value. As the value is written in the data, they mean the value. */
export function isDirectionWord({ text, meanings }: Mention): boolean {
  return RANK.test(text) && !meanings.some((meaning) => meaning.kind === 'value' && meaning.value === text);
}

export function endsWithRank(text: string): boolean {
  return RANK_BEFORE.test(text);
}
