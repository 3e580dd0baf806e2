/** A time on the clock: `HH:MM`. */
export type ClockTime = string;

const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const HOUR = String.raw`(?:\d{1,2}|${HOURS.join('|')})`;
const PERIOD = String.raw`(?:in the (morning|afternoon|evening)|at (night)|(?:this |tomorrow )?(morning|afternoon|evening|tonight))`;
const MINUTES: Readonly<Record<string, number>> = {
  half: 30,
  quarter: 15,
  five: 5,
  ten: 10,
  twenty: 20,
  'twenty-five': 25,
  'twenty five': 25,
};
const WORD_MINUTES = 'five|ten|twenty[- ]five|twenty';
/** "five thirty", "six forty-five". */
const SPOKEN: Readonly<Record<string, number>> = {
  fifteen: 15,
  'twenty-five': 25,
  'twenty five': 25,
  twenty: 20,
  'thirty-five': 35,
  'thirty five': 35,
  thirty: 30,
  'forty-five': 45,
  'forty five': 45,
  forty: 40,
  'fifty-five': 55,
  'fifty five': 55,
  fifty: 50,
};
const SPOKEN_MINUTES = Object.keys(SPOKEN).join('|');
/** Numbers may count things; behind these words, or before a day, they are a time. */
const SPOKEN_TIME = String.raw`(?:${HOURS.join('|')})[ -](?:${SPOKEN_MINUTES})(?![- ](?:one|two|three|four|five|six|seven|eight|nine)\b|-[a-z])`;
/** "ten to twelve" may count things; behind these words it is a time. */
const POINTED = String.raw`(?<=\b(?:at|@|by|around|before|until|till|is|now)\s)`;
/** A time with a sign of being one: minutes, am or pm, "o'clock", or a word. */
const CLEAR = String.raw`\d{1,2}[0-5]\d\s*[ap]\.?m\.?|\d{1,2}[:.]\d{2}\s*(?:[ap]\.?m\.?|h)?|${HOUR}\s*[ap]\.?m\.?|${HOUR}\s*o'? ?clock|\d{1,2}h(?:[0-5]\d)?|\d{1,2} uhr|(?:half|(?:a )?quarter|\d{1,2}(?: minutes?)?) (?:past|to) ${HOUR}|(?:${WORD_MINUTES}) past ${HOUR}|${POINTED}(?:${WORD_MINUTES}) to ${HOUR}|(?<=\b(?:at|@|by|around|before|until|till|is|now|to)\s)${SPOKEN_TIME}(?:\s*[ap]\.?m\.?)?|${SPOKEN_TIME}(?:\s*[ap]\.?m\.?|(?= (?:today|tomorrow|tonight|on \w+day)\b))|half ${HOUR}(?=\W*(?:$|instead|please|pls|today|tomorrow|[,.;]))|noon|midday|midnight`;
const AFTER = String.raw`(?:\s+(?:${PERIOD}|sharp|hours?))?(?=$|[^\w:.%]|\.(?!\d))`;

/** A time of day at the start of a text that follows a day: "at 9", "4pm", "@ 10:15". */
export const TIME_BEHIND = new RegExp(
  String.raw`^,?\s*(?:(?:at|@|by|around|before|until|from|to)\s*)?(${CLEAR})${AFTER}|^,?\s*(?:at|@|by|around|before|until|to)\s*(${HOUR})${AFTER}`,
  'i',
);
/** A time of day at the end of a text that stands before a day: "at 9 on", "3pm". */
export const TIME_BEFORE = new RegExp(
  String.raw`(?:^|\s)(?:(?:at|@|around|by)\s*)?(${CLEAR})(?:\s+in the (?:morning|afternoon|evening))?(?:\s+(?:on|this|,))?\s*$|(?:^|\s)(?:at|@|around)\s*(${HOUR})(?:\s+in the (?:morning|afternoon|evening))?(?:\s+(?:on|this|,))?\s*$|^\s*(${HOUR})\s*$`,
  'i',
);
/** A time of day alone: "at 5", "4pm", "half past 4". */
export const TIME_ALONE = new RegExp(
  String.raw`(?<![^\s,;(])(?:(?:by|at|@|around|before|until|till|for|from|due|to)\s+)*(?:(${CLEAR})|(?<=(?:at|@|by|around|before|until|to) )(${HOUR})(?: hours?)?)${AFTER}`,
  'gi',
);

/** Reads "4pm", "16:00", "half past 4", "noon". A small hour without am or pm is in the afternoon. */
export function readTime(words: string): ClockTime | undefined {
  const text = words
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^a (?=quarter)/, '');
  if (/^(?:noon|midday)/.test(text)) return '12:00';
  if (/^midnight/.test(text)) return '00:00';
  const joined = /^(\d{1,2})([0-5]\d)\s*[ap]\.?m/.exec(text);
  if (joined) return toClock(Number(joined[1]), Number(joined[2]), { text, isExact: false });
  const half = new RegExp(String.raw`^half (${HOUR})`).exec(text);
  if (half) return toClock(hourOf(half[1] ?? ''), 30, { text, isExact: false });
  const relative = new RegExp(
    String.raw`^(half|quarter|${WORD_MINUTES}|\d{1,2})(?: minutes?)? (past|to) (${HOUR})`,
  ).exec(text);
  if (relative) return readRelative(relative, text);
  const spoken = new RegExp(`^(${HOURS.join('|')})[ -](${SPOKEN_MINUTES})`).exec(text);
  if (spoken) return toClock(hourOf(spoken[1] ?? ''), SPOKEN[spoken[2] ?? ''] ?? 0, { text, isExact: false });
  const match = new RegExp(String.raw`^(${HOUR})(?:[:.h](\d{2}))?`).exec(text);
  if (!match) return undefined;
  const [, hour = '', minute = '00'] = match;
  return toClock(hourOf(hour), Number(minute), { text, isExact: /^0\d/.test(hour) });
}

function readRelative([, part = '', way = '', hour = '']: RegExpExecArray, text: string): ClockTime | undefined {
  const minutes = MINUTES[part] ?? Number(part);
  const base = hourOf(hour);
  return way === 'past'
    ? toClock(base, minutes, { text, isExact: false })
    : toClock(base - 1, 60 - minutes, { text, isExact: false });
}

function hourOf(word: string): number {
  const index = HOURS.indexOf(word);
  return index >= 0 ? index + 1 : Number(word);
}

/** Hours from 1 to 7 that nobody marks as morning are afternoon or evening. */
const LAST_SMALL_HOUR = 7;

function toClock(hour: number, minute: number, { text, isExact }: { text: string; isExact: boolean }) {
  if (hour > 24 || minute > 59 || hour < 0) return undefined;
  const isAfternoon = /\d\s*p\.?m|[a-z] p\.?m|afternoon|evening|tonight|night/.test(text);
  const isMorning = /\d\s*a\.?m|[a-z] a\.?m|morning/.test(text);
  const isSmall = !isMorning && !isExact && hour >= 1 && hour <= LAST_SMALL_HOUR;
  const late = (isAfternoon || isSmall) && hour < 12 ? hour + 12 : hour;
  const full = isMorning && hour === 12 ? 0 : late % 24;
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${pad(full)}:${pad(minute)}`;
}
