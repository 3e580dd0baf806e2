import { STOP_WORDS } from '../../language/filler-words.ts';
import { contentStems, readPosition, toStems } from '../../language/words.ts';
import type { AttachedFile } from './attached-files.ts';

interface Kind {
  mime: RegExp;
  words: RegExp;
  /** Words that also fit this kind of file, but fit another kind better. */
  also?: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    mime: /^image\//,
    words: /\b(?:pictures?|images?|photos?|photographs?|screenshots?|pics?|drawings?|png|jpe?g|gif|webp)\b/i,
    also: /\bscans?\b/i,
  },
  { mime: /pdf$/, words: /\bpdfs?\b/i, also: /\b(?:documents?|letters?|papers?|scans?)\b/i },
  { mime: /wordprocessing/, words: /\b(?:word|docx?|documents?|letters?)\b/i },
  { mime: /spreadsheet|csv$/, words: /\b(?:tables?|spreadsheets?|sheets?|excel|workbooks?|xlsx?|csv)\b/i },
  { mime: /presentation/, words: /\b(?:slides?|presentations?|decks?|slideshow|powerpoint|pptx?)\b/i },
  {
    mime: /^text\/(?:plain|markdown)/,
    words: /\b(?:text files?|notes?|markdown|txt|md)\b/i,
    also: /\b(?:letters?|documents?)\b/i,
  },
];
const NO_NAMES: ReadonlySet<string> = new Set(
  [...STOP_WORDS, ...'file document attachment say show read open what copy final new img'.split(' ')].flatMap(toStems),
);
const WHOLE_NAME = 20;
const NAME_WORD = 3;
const KIND = 2;
const LINKED = /\b(?:and|both|compare|with|versus|vs|between)\b/i;
const POSITION =
  /\b(?:file|attachment|document|number|picture|image)\s+(\d{1,2})\b|\b(first|second|third|fourth|fifth|last|\d{1,2}(?:st|nd|rd|th))\b(?=\s+(?:one|file|attachment|document|pdf|picture|image|photo|table|sheet)\b|\W*$)/i;

/** Scores a text by the words of a file's name. */
export function scoreName({ filename }: AttachedFile, text: string): number {
  if (text.toLowerCase().includes(filename.toLowerCase())) return WHOLE_NAME;
  const said = new Set(contentStems(text));
  const words = filename
    .replace(/\.\w{1,5}$/, '')
    .replace(/([a-z])([A-Z\d])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const named = new Set(toStems(words).filter((word) => word.length > 1 && !NO_NAMES.has(word)));
  return NAME_WORD * [...named].filter((word) => said.has(word)).length;
}

/** Scores a text by a file's name and kind. */
function scoreFile(file: AttachedFile, text: string): number {
  const kind = KINDS.find(({ mime }) => mime.test(file.mimeType));
  const byKind = kind?.words.test(text) ? KIND : kind?.also?.test(text) ? KIND / 2 : 0;
  return scoreName(file, text) + byKind;
}

/**
 * The files that a text refers to: the best matches among `near` (the files talked about now), then a match by name
 * among all, or all of `near` if the text does not choose.
 */
export function chooseFiles(text: string, near: readonly AttachedFile[], all: readonly AttachedFile[]): AttachedFile[] {
  const fitting = bestOf(near, text, scoreFile);
  const placed = atPosition(text, fitting.length > 1 ? fitting : near);
  if (placed) return [placed];
  if (fitting.length > 0) return fitting;
  const named = bestOf(all, text, scoreName);
  return named.length > 0 ? named.slice(-1) : [...near];
}

/** True if a text indicates which of the files it means. */
export function hasHint(text: string, files: readonly AttachedFile[]): boolean {
  return files.some((file) => scoreFile(file, text) > 0) || atPosition(text, files) !== undefined;
}

type Score = (file: AttachedFile, text: string) => number;

function bestOf(files: readonly AttachedFile[], text: string, score: Score): AttachedFile[] {
  const scored = files.map((file) => ({ file, points: score(file, text) })).filter(({ points }) => points > 0);
  const most = Math.max(0, ...scored.map(({ points }) => points));
  return scored.filter(({ points }) => points === most || LINKED.test(text)).map(({ file }) => file);
}

function atPosition(text: string, files: readonly AttachedFile[]): AttachedFile | undefined {
  const match = POSITION.exec(text) ?? /^\W*(\d{1,2})\W*$/.exec(text);
  const position = match ? readPosition(match[1] ?? match[2] ?? '') : undefined;
  return position === undefined ? undefined : files.at(position > 0 ? position - 1 : position);
}
