import { type ConversionContext, type Convert, count } from '../job/conversion.ts';
import { LIMITS } from '../limits.ts';
import { decodeEscapes, findMainPart, findRelated, toRow } from './office-parts.ts';
import { childrenOf, find, findAll, readElements, readRelations, readRoot, textOf, type XmlElement } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

/** Number of rows that determine the width of a sheet's table. */
const ROWS_FOR_WIDTH = 100;

export const convertXlsx: Convert = async (bytes, context) => {
  const zip = openZip(bytes);
  const { part: main = '' } = (await findMainPart(zip)) ?? {};
  const workbook = await readRoot(zip, main, 'workbook');
  const relations = await readRelations(zip, main);
  const sheets = childrenOf(find(workbook, 'sheets'), 'sheet');
  const cells = await createCellReader(zip, main, workbook);
  const left = cells.isCut ? ['texts beyond 20 million characters'] : [];
  const budget = { cells: LIMITS.cells };
  let done = 0;
  for (const { attributes } of sheets) {
    if (context.isLate()) break;
    context.progress(`sheet ${done + 1} of ${sheets.length}`);
    const part = relations.get(attributes['r:id'] ?? '')?.target ?? '';
    const name = decodeEscapes(attributes.name ?? String(done + 1));
    const title = `${done === 0 ? '' : '\n\n'}## Sheet: ${name}\n`;
    if (!context.emit(title)) break;
    const note = await writeSheet({ zip, part, cells, budget, context });
    if (note) left.push(`sheet ${name}: ${note}`);
    done++;
  }
  if (done < sheets.length) left.push(`sheets ${done + 1} to ${sheets.length} were left out`);
  return { size: count(sheets.length, 'sheet'), left };
};

interface Sheet {
  zip: Zip;
  part: string;
  cells: Cells;
  budget: { cells: number };
  context: ConversionContext;
}

/** Emits a sheet as one table, row by row; returns a note on omitted parts. */
async function writeSheet({ zip, part, cells, budget, context }: Sheet): Promise<string | undefined> {
  if (!zip.entries.has(part)) return 'it is missing';
  const first: string[][] = [];
  let width: number | undefined;
  let isWide = false;
  let last = 0;
  const write = (row: readonly string[]) => context.emit(`\n${toRow(row, width ?? 0)}`);
  const begin = (): boolean => {
    width = Math.max(0, ...first.map((row) => row.length));
    const [head, ...body] = first;
    if (!head) return true;
    return write(head) && context.emit(`\n|${' --- |'.repeat(width)}`) && body.every((row) => write(row));
  };
  for await (const row of readElements(zip, part, ['row'])) {
    last = Number(row.attributes.r ?? last + 1);
    const values = rowValues(row, cells);
    isWide ||= values.length > LIMITS.columns;
    if (values.length === 0) continue;
    budget.cells -= values.length;
    const kept = values.slice(0, LIMITS.columns);
    if (width === undefined) first.push(kept);
    const isWanted = width !== undefined ? write(kept) : first.length < ROWS_FOR_WIDTH || begin();
    if (!isWanted || budget.cells < 0 || context.isLate()) {
      if (width === undefined) begin();
      return `rows after ${last}`;
    }
  }
  if (width === undefined) begin();
  return isWide ? `columns after the ${LIMITS.columns}th` : undefined;
}

/** The row's cells by column, without trailing empty ones. */
function rowValues(row: XmlElement, cells: Cells): string[] {
  const values: string[] = [];
  let column = 0;
  for (const cell of childrenOf(row, 'c')) {
    column = columnOf(cell.attributes.r) ?? column;
    const value = cells.read(cell);
    if (value !== '') {
      while (values.length < Math.min(column, LIMITS.columns + 1)) values.push('');
      values.push(value);
    }
    column++;
  }
  return values;
}

/** `C7` → 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The display of a numeric date or time. `duration` counts hours beyond a day. */
type DateFormat = 'date' | 'time' | 'date-time' | 'duration';

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
interface Cells {
  read(cell: XmlElement): string;
  /** Whether the shared string table was too long to be kept completely. */
  isCut: boolean;
}

type Format = DateFormat | 'percent' | undefined;

async function createCellReader(zip: Zip, part: string, workbook: XmlElement | undefined): Promise<Cells> {
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
