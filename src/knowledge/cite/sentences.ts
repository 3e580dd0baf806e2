/** A sentence of an answer, with the passages that it cites. */
export interface CitedSentence {
  /** The range in the answer, with the marks. */
  start: number;
  end: number;
  text: string;
  /** Parts that each end with their own marks; one part if all marks stand together. */
  parts: readonly CitedPart[];
}

interface CitedPart {
  /** The words without marks and Markdown. */
  words: string;
  /** `p1` for `[p1]`; empty if nothing is cited. */
  ids: readonly string[];
}

/** `[p1]`, `[p1, p2]` and `[p1][p2]`. */
const MARK = String.raw`\[p\d+(?:\s*[,;]\s*p\d+)*\]`;
const MARKS = new RegExp(String.raw`(?:\s*${MARK})+`, 'g');
const LINE_START = /^[ \t]*(?:[-*+•>]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\|)*/;
const SENTENCE_END = new RegExp(String.raw`[.!?…]+["'”’)\]*_]*(?:\s*${MARK})*(?=\s+["'“‘(*_]*[\p{Lu}\p{N}])|\n`, 'gu');
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|approx|no|nr|art|sec|vs|mr|mrs|ms|dr|prof|st|fig|inc|ltd|co|p|pp|ca|a\.m|p\.m)\.$/i;

/** Splits an answer into sentences. The end of a line ends a sentence; marks after the full stop belong to it. */
export function splitCited(text: string): CitedSentence[] {
  const sentences: CitedSentence[] = [];
  let start = 0;
  for (const { index, 0: mark } of [...text.matchAll(SENTENCE_END), { index: text.length, 0: '' }]) {
    const end = mark === '\n' ? index : index + mark.length;
    if (mark !== '\n' && mark !== '' && ABBREVIATION.test(text.slice(start, index + 1))) continue;
    const own = toSentence(text, start, end);
    if (own) sentences.push(own);
    start = mark === '\n' ? index + 1 : end;
  }
  return sentences;
}

function toSentence(text: string, from: number, to: number): CitedSentence | undefined {
  const lead = LINE_START.exec(text.slice(from, to))?.[0].length ?? 0;
  const start = from + lead + (/^\s*/.exec(text.slice(from + lead, to))?.[0].length ?? 0);
  const end = start + text.slice(start, to).trimEnd().length;
  const own = text.slice(start, end);
  return /[\p{L}\p{N}]/u.test(own.replace(MARKS, '')) ? { start, end, text: own, parts: toParts(own) } : undefined;
}

/** Words before a mark belong to it; words after the last mark belong to that one too. */
function toParts(sentence: string): CitedPart[] {
  const groups = [...sentence.matchAll(MARKS)];
  const idsOf = (marks: string) => marks.match(/p\d+/g) ?? [];
  if (groups.length < 2) return [{ words: plain(sentence), ids: idsOf(groups[0]?.[0] ?? '') }];
  let at = 0;
  const parts = groups.map((group, index) => {
    const isLast = index === groups.length - 1;
    const words = plain(sentence.slice(at, isLast ? sentence.length : group.index));
    at = group.index;
    return { words, ids: idsOf(group[0]) };
  });
  return parts.filter(({ words }) => words !== '');
}

function plain(text: string): string {
  return text
    .replace(MARKS, '')
    .replace(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)/g, '')
    .replace(/\|/g, ' ')
    .trim();
}
