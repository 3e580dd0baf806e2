/** The display of a numeric date or time. `duration` counts hours beyond a day. */
export type DateFormat = 'date' | 'time' | 'date-time' | 'duration';

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. They treat 1900 as a leap year, so days before March 1900 are off by one. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const FALSE_LEAP_DAY = 60;

/** The format by its number (built-in below 164) or its code; undefined = not a date. */
export function dateFormatOf(id: number, code: string | undefined): DateFormat | undefined {
  if (code === undefined) return builtInFormat(id);
  const bare = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? '';
  if (/\[(h+|m+|s+)\]/i.test(bare)) return 'duration';
  const letters = bare.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/gi, '');
  const hasDay = /[dy]/i.test(letters) || (/m/i.test(letters) && !/[hs]/i.test(letters));
  const hasTime = /[hs]/i.test(letters);
  if (hasDay) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : undefined;
}

function builtInFormat(id: number): DateFormat | undefined {
  if (id === 22) return 'date-time';
  if (id === 46) return 'duration';
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 33)) return 'time';
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? 'date' : undefined;
}

export function formatSerial(serial: number, format: DateFormat, is1904: boolean): string {
  if (format === 'duration') return formatDuration(serial);
  const isEarly = !is1904 && serial < FALSE_LEAP_DAY && serial >= 1;
  const epoch = is1904 ? EPOCH_1904 : EPOCH_1900;
  // Times are stored as fractions of a day; the nearest second is the typed value.
  const ms = epoch + (isEarly ? DAY_MS : 0) + Math.round(serial * 86_400) * 1000;
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return String(serial);
  const [day, time] = date.toISOString().slice(0, 19).split('T');
  if (format === 'time') return serial >= 1 ? `${day} ${time}` : String(time);
  return format === 'date' && Number.isInteger(serial) ? String(day) : `${day} ${time}`;
}

function formatDuration(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const two = (value: number) => String(value).padStart(2, '0');
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days < 0 ? `-${text}` : text;
}
