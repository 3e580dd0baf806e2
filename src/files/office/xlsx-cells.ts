import { LIMITS } from '../limits.ts';
import { decodeEscapes, findRelated } from './office-parts.ts';
import { type DateFormat, dateFormatOf, formatSerial } from './xlsx-dates.ts';
import { childrenOf, find, findAll, readElements, readRoot, textOf, type XmlElement } from './xml.ts';
import type { Zip } from './zip.ts';

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
