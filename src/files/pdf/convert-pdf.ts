import { definePDFJSModule, extractImages, getDocumentProxy } from 'unpdf';
import { type ConversionContext, type Convert, count } from '../job/conversion.ts';
import { LIMITS } from '../limits.ts';
import { type Grey, shadeOf } from '../picture/grey.ts';
import { createRecognizer, type Recognizer } from '../picture/ocr.ts';
import { Unreadable } from '../reading.ts';

const NAME = '/Kids';
/** Maximum space between the name and its list. */
const MAX_SPACE = 16;
const [REFERENCE, END, ZERO, NINE, SPACE] = [0x52, 0x5d, 0x30, 0x39, 0x20];

/**
 * Blanks the entries of a PDF's page lists beyond `most`, in place, and returns the original number of entries. The
 * parser walks the whole list for each page, which takes seconds for a maliciously long list.
 */
export function shortenPages(bytes: Uint8Array, most: number): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let total = 0;
  for (let at = file.indexOf(NAME); at !== -1; at = file.indexOf(NAME, at + NAME.length)) {
    const begin = /^\s*\[/.exec(file.toString('latin1', at + NAME.length, at + NAME.length + MAX_SPACE))?.[0].length;
    if (begin !== undefined) total += shortenList(file, at + NAME.length + begin, most);
  }
  return total;
}

/** A list contains only numbers and references, so every byte is read once. */
function shortenList(file: Buffer, begin: number, most: number): number {
  let entries = 0;
  let from = begin;
  for (let at = begin; at < file.length; at++) {
    const byte = file[at] as number;
    if (byte === END) {
      if (entries <= most) return 0;
      file.fill(' ', from, at);
      return entries;
    }
    if (byte === REFERENCE) {
      entries++;
      if (entries === most) from = at + 1;
    } else if (byte > SPACE && (byte < ZERO || byte > NINE)) return 0;
  }
  return 0;
}

/** Shared fonts and pictures are cached for this many pages. */
const CLEAN_EVERY = 50;
/** At lower verbosity the parser does not report what it cannot decode. */
const REPORT_WARNINGS = 1;

export const convertPdf: Convert = async (bytes, context) => {
  const { pdf, total } = await openPdf(bytes);
  const pages = Math.min(pdf.numPages, LIMITS.pages);
  const left: string[] = [];
  const scans = createScanReader(context);
  let isFirst = true;
  let done = 0;
  let ahead = readPage(pdf, 1);
  for (; done < pages && !context.isLate(); done++) {
    const number = done + 1;
    context.progress(`page ${number} of ${total}`);
    const content = await ahead;
    if (number % CLEAN_EVERY === 0) await pdf.cleanup();
    const recognized = scans.read(content);
    // The next page is extracted meanwhile.
    if (number < pages) ahead = readPage(pdf, number + 1);
    const page = await recognized;
    left.push(...page.left);
    if (page.text !== '' && !context.emit(`${isFirst ? '' : '\n\n'}[Page ${number}]\n${page.text}`)) break;
    isFirst &&= page.text === '';
  }
  if (done < total)
    left.push(done + 1 < total ? `pages ${done + 1} to ${total} were left out` : `page ${total} was left out`);
  return { size: done < total ? `${done} of ${count(total, 'page')}` : count(total, 'page'), left };
};

async function openPdf(bytes: Buffer): Promise<{ pdf: Pdf; total: number }> {
  const file = new Uint8Array(bytes);
  const listed = shortenPages(file, LIMITS.pages);
  await definePDFJSModule(() => import('unpdf/pdfjs'));
  try {
    const pdf = await getDocumentProxy(file, {
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: LIMITS.pixels,
      verbosity: REPORT_WARNINGS,
    });
    return { pdf, total: Math.max(pdf.numPages, listed) };
  } catch (error) {
    throw new Unreadable(describeFailure(error));
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'is damaged: it is no valid PDF';
  if (error.name === 'PasswordException') return 'is protected by a password; attach it without one';
  if (/encryption/.test(error.message)) return 'is protected in a way that is not known here; attach it without that';
  return 'is damaged: it is no valid PDF';
}

interface ScanReader {
  /** The page with the recognized text of its picture, if it is a scan. */
  read(page: PageContent): Promise<PageContent>;
}

/** The OCR engine is started by the first page that needs it, and kept for later pages. */
function createScanReader(context: ConversionContext): ScanReader {
  let recognizer: Recognizer | undefined;
  return {
    async read({ picture, ...page }) {
      if (!picture) return page;
      const { number } = page;
      if (context.isLate()) return { ...page, left: [`page ${number} is a picture and there was no time to read it`] };
      recognizer ??= createRecognizer({ ...context, pixels: picture.width * picture.height });
      const text = await recognizer.readPixels(picture);
      return { ...page, text, left: text === '' ? [`no text was found on page ${number}, which is a picture`] : [] };
    },
  };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** The content of a page: its text, or the picture of a scanned page, and notes on missing parts. */
interface PageContent {
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
async function readPage(pdf: Pdf, number: number): Promise<PageContent> {
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
