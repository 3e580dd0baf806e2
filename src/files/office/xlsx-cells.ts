import { LIMITS } from '../limits.ts';
import { decodeEscapes, findRelated } from './office-parts.ts';
import { childrenOf, find, findAll, readElements, readRoot, textOf, type XmlElement } from './xml.ts';
import type { Zip } from './zip.ts';

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

/** Cells as people see them: shared texts resolved, dates and percentages formatted. */
export interface Cells {
  read(cell: XmlElement): string;
  /** Whether the shared string table was too long to be kept completely. */
  isCut: boolean;
}

type Format = DateFormat | 'percent' | undefined;

export async function createCellReader(zip: Zip, part: string, workbook: XmlElement | undefined): Promise<Cells> {
  const shared = await readShared(zip, await findRelated(zip, part, 'sharedStrings'));
  const formats = await readFormats(zip, await findRelated(zip, part, 'styles'));
  const is1904 = ['1', 'true'].includes(find(workbook, 'workbookPr')?.attributes.date1904 ?? '');
  const readNumber = (text: string, style: string | undefined): string => {
    const value = Number(text);
    if (text === '' || !Number.isFinite(value)) return text;
    const format = formats[Number(style ?? 0)];
    if (format === 'percent') return `${round(value * 100)}%`;
    return format ? formatSerial(value, format, is1904) : round(value);
  };
  return {
    isCut: shared.isCut,
    read(cell) {
      const value = textOf(find(cell, 'v'));
      switch (cell.attributes.t) {
        case 's':
          return shared.texts[Number(value)] ?? '';
        case 'inlineStr':
          return richText(find(cell, 'is'));
        case 'b':
          return value === '1' ? 'TRUE' : 'FALSE';
        case 'str':
          return decodeEscapes(value);
        case 'e':
        case 'd':
          return value;
        default:
          return readNumber(value, cell.attributes.s);
      }
    },
  };
}

/** Rounds to the digits that a spreadsheet shows; the rest is binary noise. */
function round(value: number): string {
  return String(Number(value.toPrecision(15)));
}

async function readShared(zip: Zip, part: string): Promise<{ texts: string[]; isCut: boolean }> {
  const texts: string[] = [];
  let chars = 0;
  for await (const item of readElements(zip, part, ['si'])) {
    const text = richText(item);
    chars += text.length;
    if (chars > LIMITS.sharedChars) return { texts, isCut: true };
    texts.push(text);
  }
  return { texts, isCut: false };
}

/** The joined runs of a text, without phonetic guides of Japanese words. */
function richText(item: XmlElement | undefined): string {
  const texts = childrenOf(item).map((child) =>
    child.name === 't' ? textOf(child) : child.name === 'r' ? textOf(find(child, 't')) : '',
  );
  return texts.map(decodeEscapes).join('');
}

/** The format of each cell style; only dates and percentages matter to a reader. */
async function readFormats(zip: Zip, part: string): Promise<Format[]> {
  const styles = await readRoot(zip, part, 'styleSheet');
  if (!styles) return [];
  const codes = new Map(
    findAll(styles, 'numFmt').map(({ attributes }) => [attributes.numFmtId ?? '', attributes.formatCode ?? '']),
  );
  return childrenOf(find(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
    const id = attributes.numFmtId ?? '0';
    const code = codes.get(id);
    const isPercent = code === undefined ? id === '9' || id === '10' : code.replace(/"[^"]*"|\\./g, '').includes('%');
    return isPercent ? 'percent' : dateFormatOf(Number(id), code);
  });
}
