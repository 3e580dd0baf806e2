const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const EVERY = new RegExp(
  String.raw`[\s,]*\b(?:on\s+)?(?:every|each)\s+(?:(?:other|second|single)\s+)?(?:(${WEEKDAY})s?|day|morning|afternoon|evening|night|week|weekday|weekend|month|year|(?:\d+|two|three|four)\s+(?:days|weeks|months|years))\b`,
  'i',
);
const OFTEN = /[\s,]+(?:daily|weekly|monthly|yearly|annually)[\s.!]*$/i;

/** A title without "every Monday", whose first day is kept. */
export function readRepeat(title: string): { title: string; isRepeated: boolean } {
  const every = EVERY.exec(title);
  if (every) {
    const day = every[1] === undefined ? '' : ` on ${every[1]}`;
    const rest = `${title.slice(0, every.index)}${day}${title.slice(every.index + every[0].length)}`;
    return { title: rest.trim(), isRepeated: true };
  }
  const once = title.replace(OFTEN, '');
  return { title: once, isRepeated: once !== title };
}

export const ONCE = "I can't repeat a task yet, so it is on your list once.";

/** Wishes that task lists of other programs grant. */
const WISHES: readonly [RegExp, string][] = [
  [/\b(?:repeat|recurring|repeating)\b/i, "I can't repeat a task yet. I can add it once, with a date."],
  [
    /\b(?:set an? alarm|ring (?:me|at)|wake me|(?:call|text|email|sms) me (?:at|when|on|in|about|to remind))\b/i,
    "I can't ring or send messages. A chat or page that is open when a task is due shows a notice.",
  ],
  [
    /\bshare\s+.+\s+with\b|\bassign\s+.+\s+to\b|\binvite\s+.+\s+to (?:my|the) (?:list|task)\b/i,
    "I can't share tasks: only you see your list.",
  ],
  [/\battach(?:ments?)?\b|\badd (?:an?|the|this) (?:file|photo|picture|image)\b/i, "I can't attach files to a task."],
  [
    /\b(?:priority|priorities|prioriti[sz]e)\b/i,
    'Tasks have no priority. They are ordered by their due date, so a date can take its place.',
  ],
  [
    /\b(?:sub-?tasks?|tags?|labels?|categor(?:y|ies)|another list|second list|new list)\b/i,
    'I keep one list of tasks, without labels or parts.',
  ],
];

/** The reason why a wish about tasks cannot be granted, and the next best thing; undefined for anything else. */
export function whyUnable(text: string): string | undefined {
  return WISHES.find(([wish]) => wish.test(text))?.[1];
}
