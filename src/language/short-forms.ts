import { isActionVerb } from './action-verbs.ts';
import words from './tables/short-forms.json' with { type: 'json' };

/** Spellings of hurry, each for one word. */
const WORDS: Readonly<Record<string, string>> = words;

/** The word that a short spelling stands for. */
export function fullWord(lower: string): string | undefined {
  return Object.hasOwn(WORDS, lower) ? WORDS[lower] : undefined;
}

const DAY =
  '(?:today|tonight|tonite|tomorrow|tmrw|tmr|next|this|the \\d|mon|tues?|weds?|wednesday|thu(?:rs)?|fri|sat|sun|monday|tuesday|thursday|friday|saturday|sunday)';
/** "milk n eggs". */
const AND = /(?<=^|\s)n(?=\s+[\p{L}\d"])/gu;
/** "need 2 renew": a number before a verb is no amount. */
const TO_DO =
  /\b(need|have|want|got|going|gonna|remind me|remember|don'?t forget|supposed|ought)(\s+)2\s+(?=(\p{L}+))/giu;
/** "done w Ann". */
const DONE_WITH = /\b(done|finished)\s+w\/?(?=\s+\p{L})/giu;
const TO_SELF = /\bnote(\s+)2(\s+)self\b/gi;
const TO_DAY = new RegExp(String.raw`^(\S+\s.*\s)2(?=\s+${DAY}\b)`, 'i');
const MOVES = /^(?:please |pls |can u |can you )*(?:move|mve|push|shift|postpone|change|set|put|reschedule|delay)\b/i;
const FOR_DAY = new RegExp(
  String.raw`\b(anything|everything|nothing|stuff|things|tasks?|what's|whats)(\s+)4(?=\s+${DAY}\b)`,
  'gi',
);

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
/** "Friday 18", "the 24 at 12:00": a day of the month without its ending. */
const BARE_DAY = new RegExp(
  String.raw`\b(${WEEKDAY},?\s+(?:the\s+)?|the\s+(?=\d{1,2}\s+at\s+\d))(\d{1,2})(?=\s+at\s+\d|\s*[,.!?]?\s*$)`,
  'gi',
);
const AT_THE = /\bat the (?=\d{1,2}[:.]\d\d\b)/gi;
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const spelt = (names: readonly string[]) => names.toReversed().join('|').replaceAll('-', '[- ]');
/** "The third of March". */
const SPELT_DAY = new RegExp(String.raw`\b(${spelt(ORDINALS)})(?= of ${MONTH})`, 'gi');
/** "December twelfth". */
const SPELT_MONTH = new RegExp(
  String.raw`(?<!\b(?:i|we|you|he|she|it|they|us) )\b((?:january|february|march|april|may|june|july|august|september|october|november|december) )(${spelt(ORDINALS)})\b`,
  'gi',
);
/** "the sixteenth", where no thing follows that could be counted. */
const SPELT_LATE = new RegExp(
  String.raw`(?<=\bthe )(${spelt(ORDINALS.slice(12))})(?=\s*(?:[,.;:!?]|$)|\s+(?:at|by|in|same|then|and|but|please|instead|if|so|now)\b)`,
  'gi',
);
const dayOf = (word: string) => withEnding(ORDINALS.indexOf(word.toLowerCase().replace(' ', '-')) + 1);

/** "the thirtieth" as "the 30th". */
export function expandDays(text: string): string {
  return text
    .replace(SPELT_MONTH, (_, month: string, day: string) => `${month}${dayOf(day)}`)
    .replace(SPELT_DAY, dayOf)
    .replace(SPELT_LATE, dayOf);
}

function withEnding(day: number): string {
  const ending = day % 100 > 10 && day % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** Writes letters and digits that stand for words as those words. The text holds no quotes. */
export function expandShortForms(text: string): string {
  const expanded = expandDays(text)
    .replace(DONE_WITH, '$1 with')
    .replace(AND, 'and')
    .replace(TO_SELF, 'note$1to$2self')
    .replace(TO_DO, (all, verb: string, space: string, next: string) =>
      isActionVerb(next) ? `${verb}${space}to ` : all,
    )
    .replace(FOR_DAY, '$1$2for')
    .replace(AT_THE, 'at ')
    .replace(BARE_DAY, (all: string, before: string, day: string, at: number) => {
      // "Friday 3" may be an hour.
      const isHour = Number(day) <= 12 && !/^\s+at\s/i.test(text.slice(at + all.length));
      return Number(day) > 31 || Number(day) < 1 || isHour ? all : `${before}${withEnding(Number(day))}`;
    });
  return MOVES.test(expanded) ? expanded.replace(TO_DAY, '$1to') : expanded;
}
