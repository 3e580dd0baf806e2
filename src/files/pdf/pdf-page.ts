import { extractImages, type getDocumentProxy } from 'unpdf';
import { type Grey, shadeOf } from '../picture/grey.ts';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** The content of a page: its text, or the picture of a scanned page, and notes on missing parts. */
export interface PageContent {
  number: number;
  text: string;
  picture?: Grey;
  left: string[];
}

/** A smaller picture on a page without text is a logo or a line, not a scan. */
const MIN_SCAN_PIXELS = 100_000;
/** Share of unknown letters above which a page is reported. */
const MAX_UNKNOWN = 0.2;

/** Extracts one page. Never throws: failures are in `left`. */
export async function readPage(pdf: Pdf, number: number): Promise<PageContent> {
  const warnings: string[] = [];
  const stop = collectWarnings(warnings);
  try {
    return await readContent(pdf, number, warnings);
  } catch {
    return { number, text: '', left: [`page ${number} is damaged: its content cannot be decoded`] };
  } finally {
    stop();
  }
}

async function readContent(pdf: Pdf, number: number, warnings: readonly string[]): Promise<PageContent> {
  const page = await pdf.getPage(number);
  const text = await textOf(page);
  const known = text.replace(UNKNOWN_LETTERS, '');
  const picture = known.trim() === '' ? await pictureOf(pdf, number) : undefined;
  page.cleanup();
  if (picture) return { number, text: '', picture, left: [] };
  const problem = describeProblem({ text, known, warnings });
  return {
    number,
    text: known.trim() === '' ? '' : text,
    left: problem === undefined ? [] : [`page ${number} ${problem}`],
  };
}

async function textOf(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  const pieces = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  return pieces
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Characters that result if a font does not map its shapes to letters. */
const UNKNOWN_LETTERS = /[^\P{C}\n\t\p{Cf}]|\ufffd/gu;

interface Found {
  text: string;
  known: string;
  warnings: readonly string[];
}

/** The reason why the page shows more than was read, if known. */
function describeProblem({ text, known, warnings }: Found): string | undefined {
  const letters = text.replace(/\s/g, '').length;
  const unknown = letters - known.replace(/\s/g, '').length;
  if (unknown > letters * MAX_UNKNOWN) return 'has letters whose font does not say what they are';
  const reasons = known === '' ? EMPTY_PAGE : FULL_PAGE;
  return reasons.find(([warning]) => warnings.some((given) => warning.test(given)))?.[1];
}

const UNDECODED = 'is damaged: its content cannot be decoded';

/** Meanings of the parser's warnings on a seemingly empty page. */
const EMPTY_PAGE: readonly [RegExp, string][] = [
  [/exceeded maximum allowed size/, 'is a picture with too many pixels'],
  [/Unable to decode image/, 'has a picture that cannot be decoded'],
  [/Invalid stream|flate stream|is not supported|Unknown command|Unterminated|FormatError/, UNDECODED],
];

/** On a page with text, most warnings are harmless. */
const FULL_PAGE: readonly [RegExp, string][] = [
  [/flate stream|Unterminated string/, 'is damaged: only a part of it can be decoded'],
];

/** The parser reports warnings only on the console. */
function collectWarnings(into: string[]): () => void {
  const { log, warn } = console;
  console.log = console.warn = (...words: unknown[]) => void into.push(words.join(' '));
  return () => Object.assign(console, { log, warn });
}

async function pictureOf(pdf: Pdf, number: number): Promise<Grey | undefined> {
  const images = await extractImages(pdf, number);
  const largest = images.reduce((a, b) => (a && a.width * a.height > b.width * b.height ? a : b), images[0]);
  return largest && largest.width * largest.height >= MIN_SCAN_PIXELS ? toGrey(largest) : undefined;
}

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
  channels: number;
}

function toGrey({ data, width, height, channels }: Pixels): Grey {
  if (channels === 1) return { width, height, data: new Uint8Array(data) };
  const shades = new Uint8Array(width * height);
  for (let at = 0, to = 0; to < shades.length; at += channels, to++) {
    shades[to] = shadeOf(data[at] as number, data[at + 1] as number, data[at + 2] as number);
  }
  return { width, height, data: shades };
}
