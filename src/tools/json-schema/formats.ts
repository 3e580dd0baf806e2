const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** The formats that are checked, all in linear time. Other formats are ignored. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  date: isDate,
  'date-time': isDateTime,
  email: (text) => EMAIL.test(text),
  uri: (text) => URL.canParse(text),
};

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const date = new Date(`${text}T00:00:00Z`);
  return date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const separator = text.search(/[Tt ]/);
  return separator === 10 && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}
