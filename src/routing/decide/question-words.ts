import { DOMAIN_FILLER } from '../../language/filler-words.ts';
import { rootOf } from '../../language/words.ts';

/** A word of a question that may name its subject. */
export interface QuestionWord {
  text: string;
  /** Without endings, so that "abandoned" and "abandons" match. */
  root: string;
  start: number;
  end: number;
}

/** Measures and dimensions that fit any data, so that they do not choose a domain. */
const SIDE_WORDS: ReadonlySet<string> = new Set(
  (
    'category categories frequency size value volume speed quality timing ' +
    'status schedule process accuracy experience region name'
  )
    .split(' ')
    .map(rootOf),
);

const MAX_WORDS = 80;

export function isSideWord({ root }: QuestionWord): boolean {
  return SIDE_WORDS.has(root);
}

/** Examples in brackets do not name the subject of a question. */
const ASIDES = /\((?:e\.?g\.?|i\.?e\.?|for example|such as|like)\b[^)]*\)/gi;

/** Some words have a meaning only together. */
const WORD =
  /\b(?:run|runs|running|ran) (?:low|short)\b|\b\p{L}+ out\b|\btoo (?:much|many) of\b|[\p{L}\p{N}]+(?:['’][\p{L}]+)?/giu;

/** The words of a question that can name its subject, in order. */
export function readQuestionWords(text: string, most = MAX_WORDS): QuestionWord[] {
  const words: QuestionWord[] = [];
  const plain = text.replace(ASIDES, (aside) => ' '.repeat(aside.length));
  for (const match of plain.matchAll(WORD)) {
    const word = match[0].toLowerCase().replace(/['’].*$/, '');
    if (DOMAIN_FILLER.has(word) || word.length < 2 || /^\d+$/.test(word)) continue;
    const root = word.split(' ').map(rootOf).join(' ');
    words.push({ text: match[0], root, start: match.index, end: match.index + match[0].length });
    if (words.length >= most) break;
  }
  return words;
}
