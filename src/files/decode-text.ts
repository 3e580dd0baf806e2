import { Unreadable } from './reading.ts';

export interface DecodedText {
  text: string;
  /** The encoding, if it was guessed. */
  guessed?: string;
  /** Number of undecodable characters; each is U+FFFD in the text. */
  lost?: number;
}

const LOST = '\ufffd';
const WESTERN = 'windows-1252';

const SAMPLE_BYTES = 64 * 1024;
/** Sample size, starting at the first non-ASCII byte. */
const GUESS_BYTES = 16 * 1024;

/** Characters that are frequent in every long text of a language; the encoding that shows most of them wins. */
const COMMON: Record<string, string> = {
  shift_jis: 'のにはをたがでてとしれさいるなも、。',
  'euc-jp': 'のにはをたがでてとしれさいるなも、。',
  gb18030: '的一是不了在人有我他这个们中来上大为和国地到以，。',
  big5: '的一是不了在人有我他這個們中來上大為和國地到以，。',
  'euc-kr': '이다는을의에가하고를로은한지도기사',
  'windows-1251': 'оеаинтсрвлкмдпуяыьгзб',
  [WESTERN]: 'äöüßéèàçñáíóúêâôîëïœåøæÄÖÜÉ€£§°“”„’–',
};

/** Decodes bytes: by byte order mark, as UTF-8, as UTF-16 without a mark, else by the resulting letters. */
export function decodeText(bytes: Buffer): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked) return withLost({ text: decode(bytes, marked) });
  const wide = wideEncoding(bytes);
  if (wide) return withLost({ text: decode(bytes, wide), guessed: wide.toUpperCase() });
  if (bytes.includes(0)) throw new Unreadable('is not text: it holds zero bytes');
  const utf8 = withLost({ text: decode(bytes, 'utf-8') });
  if (!utf8.lost || isDamagedUtf8(utf8.text, utf8.lost)) return utf8;
  const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1);
  const encoding = guessEncoding(bytes.subarray(first, first + GUESS_BYTES));
  return withLost({ text: decode(bytes, encoding), guessed: encoding });
}

function withLost(decoded: DecodedText): DecodedText {
  let lost = 0;
  for (let at = decoded.text.indexOf(LOST); at >= 0; at = decoded.text.indexOf(LOST, at + 1)) lost++;
  return lost === 0 ? decoded : { ...decoded, lost };
}

/** Text in another encoding is rarely valid UTF-8 by chance; mostly valid text is UTF-8 with a few broken bytes. */
function isDamagedUtf8(text: string, lost: number): boolean {
  let foreign = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) foreign++;
  return foreign - lost > lost;
}

function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Latin characters in UTF-16 have a zero in every second byte; line ends, digits and spaces suffice. */
function wideEncoding(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (bytes.length % 2 !== 0 || Math.min(even, odd) > 0) return undefined;
  if (odd > half * 0.05) return 'utf-16le';
  return even > half * 0.05 ? 'utf-16be' : undefined;
}

function guessEncoding(sample: Buffer): string {
  const scores = Object.entries(COMMON).map(([encoding, common]) => ({
    encoding,
    score: score(sample, encoding, common),
  }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.encoding : WESTERN;
}

/** The share of non-ASCII letters that are common ones; -1 if the bytes are invalid in this encoding. */
function score(sample: Buffer, encoding: string, common: string): number {
  // A sample may end inside a character.
  const text = tryDecode(sample, encoding) ?? tryDecode(sample.subarray(0, -1), encoding);
  if (text === undefined) return -1;
  const characters = [...text];
  const isLatin = (at: number) => /[A-Za-z]/.test(characters[at] ?? '');
  const mixes = encoding === WESTERN;
  let foreign = 0;
  let hits = 0;
  for (const [at, character] of characters.entries()) {
    if (character <= '\u007f') continue;
    foreign++;
    // Only Western words mix such letters with plain ones.
    if (common.includes(character) && (mixes || !(isLatin(at - 1) || isLatin(at + 1)))) hits++;
  }
  return foreign === 0 ? 0 : hits / foreign;
}

function tryDecode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decode(bytes: Buffer, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}
