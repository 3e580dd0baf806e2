import type { Random } from './random.ts';

const DAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'Monday',
  'Friday',
  'Tuesday',
];
const SHORT_DAYS = ['mon', 'tues', 'tue', 'wed', 'thu', 'thurs', 'fri', 'sat', 'sun'];
const MONTHS = [
  'january',
  'march',
  'april',
  'May',
  'june',
  'july',
  'August',
  'september',
  'October',
  'december',
  'Dec',
];
const PARTS = ['morning', 'afternoon', 'evening', 'night'];
const ENDS = [
  'the end of the month',
  'the end of the week',
  'the end of the year',
  'end of day',
  'the end of next week',
];
const NEAR = ['tomorrow', 'today', 'tonight', 'this evening', 'tomorrow morning', 'tomorrow night', 'this afternoon'];
const FAR = ['next week', 'next month', 'this week', 'this weekend', 'the weekend', 'next year', 'this month'];
const AMOUNTS = [
  'an hour',
  'two hours',
  '10 minutes',
  'half an hour',
  '3 days',
  'two weeks',
  'a week',
  'a couple of days',
];

function hour(random: Random): string {
  const number = 1 + random.below(12);
  const minutes = random.pick([':30', ':15', ':45', '.30', '']);
  return random.pick([
    `${number}`,
    `${number}pm`,
    `${number}am`,
    `${number} pm`,
    `${number} o'clock`,
    `${number}${minutes || ':00'}`,
    `${number}${minutes}pm`,
    'noon',
    'half past six',
    'midnight',
    '17:00',
    'quarter to four',
  ]);
}

function dayDate(random: Random): string {
  const number = 1 + random.below(30);
  const ordinal = `${number}${number === 1 ? 'st' : number === 2 ? 'nd' : number === 3 ? 'rd' : 'th'}`;
  const month = random.pick(MONTHS);
  return random.pick([
    `the ${ordinal}`,
    `${month} ${number}`,
    `${month} ${ordinal}`,
    `the ${ordinal} of ${month}`,
    `${number}/${1 + random.below(12)}`,
  ]);
}

function weekday(random: Random): string {
  const day = random.chance(0.2) ? random.pick(SHORT_DAYS) : random.pick(DAYS);
  return random.pick([day, day, day, `next ${day}`, `this ${day}`, `${day} ${random.pick(PARTS)}`, `${day} next week`]);
}

/** A time without its preposition, as it follows "to", "for" or "until". */
export function bareWhen(random: Random): string {
  const kind = random.next();
  if (kind < 0.28) return weekday(random);
  if (kind < 0.5) return random.pick(NEAR);
  if (kind < 0.64) return random.pick(FAR);
  if (kind < 0.72) return dayDate(random);
  if (kind < 0.82) return hour(random);
  if (kind < 0.88) return random.pick(ENDS);
  const day = random.chance(0.5) ? random.pick(['tomorrow', 'today']) : weekday(random);
  return `${day} ${random.pick(['at', 'at', 'around', ''])} ${hour(random)}`.replace('  ', ' ');
}

/** A time with its preposition, as it follows an act. */
export function when(random: Random): string {
  const kind = random.next();
  if (kind < 0.2) return random.pick(NEAR);
  if (kind < 0.32) return random.pick(FAR).replace(/^the weekend$/, 'on the weekend');
  if (kind < 0.56) return `${random.pick(['on', 'on', 'by', 'before', 'until', ''])} ${weekday(random)}`.trim();
  if (kind < 0.68) return `${random.pick(['at', 'at', 'by', 'before', 'after', 'around'])} ${hour(random)}`;
  if (kind < 0.76) return `${random.pick(['on', 'by', 'before'])} ${dayDate(random)}`;
  if (kind < 0.83) return `${random.pick(['by', 'before', 'at'])} ${random.pick(ENDS)}`;
  if (kind < 0.9) return `${random.pick(['in', 'in', 'within'])} ${random.pick(AMOUNTS)}`;
  if (kind < 0.94) return `in ${random.pick([...MONTHS, 'the morning', 'the evening', 'the afternoon'])}`;
  return `${random.pick(['on', ''])} ${bareWhen(random)}`
    .trim()
    .replace(/^on (?=to|this|next|\d|noon|mid|half|quarter)/, '');
}
