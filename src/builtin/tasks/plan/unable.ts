const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const EVERY = new RegExp(
  String.raw`[\s,]*\b(?:on\s+)?(?:every|each)\s+(?:(?:other|second|single)\s+)?(?:(${WEEKDAY})s?|day|morning|afternoon|evening|night|week|weekday|weekend|month|year|(?:\d+|two|three|four|six)\s+(?:days|weeks|months|years))\b`,
  'i',
);
const OFTEN = /[\s,]+(?:daily|weekly|monthly|yearly|annually)[\s.!]*$/i;

/** A title without "every Monday", whose first day is kept. */
export function withoutRepeat(title: string): string {
  return title
    .replace(EVERY, (_, day: string | undefined) => (day === undefined ? '' : ` on ${day}`))
    .replace(OFTEN, '')
    .trim();
}

/** Wishes that task lists of other programs grant, and the next best thing. */
const WISHES: readonly [RegExp, string][] = [
  [
    /\b(?:repeat\w*|recur\w*|(?:every|each) (?:(?:other|second|single|\d+|two|three|four|six) )?(?:day|morning|evening|night|week|weekday|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|daily|weekly|monthly|yearly|annually)\b/i,
    "I can't repeat a task: it is on your list once, with one date.",
  ],
  [
    /\b(?:set an? alarm|ring me|wake me|(?:call|text|email|sms|ping|alert|notify|nudge) me\b(?! (?:back|a|the))|remind me (?:again |also )?(?:the (?:day|night|week|hour|evening|morning) before|an? (?:day|hour|week)|\d+ \w+ (?:before|earlier)|before ?(?:hand)?\b|\w+ (?:hours?|days?|minutes?) before))/i,
    "I can't ring or send messages. A chat or page that is open when a task is due shows a notice.",
  ],
  [
    /\bshare\s+.+\s+with\b|\b(?:assign|share) (?:it|this|that|them|the task|that one)\b|\bassign\s+.+\s+to\b|\binvite\s+.+\s+to (?:my|the) (?:list|task)\b/i,
    "I can't share tasks: only you see your list.",
  ],
  [/\battach(?:ments?)?\b|\badd (?:an?|the|this) (?:file|photo|picture|image)\b/i, "I can't attach files to a task."],
  [
    /\b(?:priority|priorities|prioriti[sz]e|urgent|(?:most|very|really|super) important)\b/i,
    'Tasks have no priority. They are ordered by their due date, so a date can take its place.',
  ],
  [
    /\b(?:sub-?tasks?|tags?|labels?|categor(?:y|ies)|another list|second list|new list)\b/i,
    'I keep one list of tasks, without labels or parts.',
  ],
];

/** The reason why a wish about tasks cannot be granted; undefined for anything else. */
export function whyUnable(text: string): string | undefined {
  return WISHES.find(([wish]) => wish.test(text))?.[1];
}

const PART = /[.;!?\n]+\s*|,\s+(?:and\s+)?|\s+(?:and|but)\s+/i;

/** The parts of a message that ask for what lists here do not have, each with its reason, beside what was done. */
export function readLeftOut(text: string, used: readonly string[]): { part: string; why: string }[] {
  const parts = text.split(PART).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => {
    const why = whyUnable(part);
    const isUsed = used.some(
      (words) =>
        part.toLowerCase().includes(words.toLowerCase()) || words.toLowerCase().includes(part.trim().toLowerCase()),
    );
    const [said = part] = isUsed ? (WISHES.find(([wish]) => wish.test(part))?.[0].exec(part) ?? []) : [];
    const inTitle = isUsed && used.some((words) => words.toLowerCase().includes(said.toLowerCase()));
    return why === undefined || inTitle ? [] : [{ part: said.trim(), why }];
  });
}
