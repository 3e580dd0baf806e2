import { definePDFJSModule, extractImages, getDocumentProxy } from 'unpdf';
import { type ConversionContext, type Convert, count } from './conversion.ts';
import { type Grey, shadeOf } from './grey.ts';
import { LIMITS } from './limits.ts';
import { createRecognizer, type Recognizer } from './ocr.ts';
import { Unreadable } from './unreadable.ts';

/** Fonts and pictures that pages share are kept for so many pages. */
const CLEAN_EVERY = 50;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

export const convertPdf: Convert = async (bytes, context) => {
  const pdf = await openPdf(bytes);
  const total = pdf.numPages;
  const pages = Math.min(total, LIMITS.pages);
  const left: string[] = [];
  const scans = createScanReader(context);
  let isFirst = true;
  let done = 0;
  for (; done < pages && !context.isLate(); done++) {
    const number = done + 1;
    context.progress(`page ${number} of ${total}`);
    const page = await readPage(pdf, number, scans);
    left.push(...page.left);
    if (page.text !== '' && !context.emit(`${isFirst ? '' : '\n\n'}[Page ${number}]\n${page.text}`)) break;
    isFirst &&= page.text === '';
    if (number % CLEAN_EVERY === 0) await pdf.cleanup();
  }
  if (done < total) left.push(`pages ${done + 1} to ${total} were left out`);
  return { size: done < total ? `${done} of ${count(total, 'page')}` : count(total, 'page'), left };
};

async function openPdf(bytes: Buffer): Promise<Pdf> {
  await definePDFJSModule(() => import('unpdf/pdfjs'));
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: LIMITS.pixels,
      verbosity: 0,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(
      isLocked ? 'is protected by a password; attach it without one' : 'is damaged: it is no valid PDF',
    );
  }
}

interface PageText {
  text: string;
  left: string[];
}

/** One page: its text, or, where it has none, the text in its picture. */
async function readPage(pdf: Pdf, number: number, scans: ScanReader): Promise<PageText> {
  try {
    const page = await pdf.getPage(number);
    const text = await textOf(page);
    const scanned = text === '' ? await scans.read(pdf, number) : { text, left: [] };
    page.cleanup();
    return scanned;
  } catch {
    return { text: '', left: [`page ${number} is damaged`] };
  }
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

interface ScanReader {
  read(pdf: Pdf, number: number): Promise<PageText>;
}

/** The engine is started by the first page that needs it, and kept for the later ones. */
function createScanReader(context: ConversionContext): ScanReader {
  let recognizer: Recognizer | undefined;
  return {
    async read(pdf, number) {
      const images = await extractImages(pdf, number);
      const largest = images.reduce((a, b) => (a && a.width * a.height > b.width * b.height ? a : b), images[0]);
      if (!largest || largest.width * largest.height < MIN_SCAN_PIXELS) return { text: '', left: [] };
      if (context.isLate()) return { text: '', left: [`page ${number} is a picture and there was no time to read it`] };
      recognizer ??= createRecognizer({ ...context, pixels: largest.width * largest.height });
      return { text: await recognizer.readPixels(toGrey(largest)), left: [] };
    },
  };
}

/** A smaller picture on a page without text is a logo or a line, not a scan. */
const MIN_SCAN_PIXELS = 100_000;

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
  channels: number;
}

function toGrey({ data, width, height, channels }: Pixels): Grey {
  const shades = new Uint8Array(width * height);
  for (let at = 0, to = 0; to < shades.length; at += channels, to++) {
    const red = data[at] ?? 0;
    shades[to] = channels === 1 ? red : shadeOf(red, data[at + 1] ?? 0, data[at + 2] ?? 0);
  }
  return { width, height, data: shades };
}
