/** Finds comments and messages whose wording is hard to read. `npm run words` prints the result for the repository. */

/** These words put the subject of a sentence late, so a reader has to read it twice. */
const LATE_SUBJECT = /^(?:What|Who|Whoever|That|One|Nobody|Such)\b/;
const TELL = /\b(?:tell|tells|told)\b/gi;
/** Words of other meanings, for which the field has common ones: get, count for, of, fix, irreversible, next to. */
const ODD =
  /\b(?:hear|hears|heard|(?:speak|speaks|spoke) for|said of|mend|mends|mended|grave|(?:stand|stands|stood) beside)\b/i;
const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

export interface CommentLine {
  /** 1-based. */
  line: number;
  text: string;
}

export interface FileWords {
  commentLines: number;
  /** Comment lines that begin with a word of LATE_SUBJECT. */
  lateSubjects: CommentLine[];
  tellInComments: number;
  tellInStrings: number;
  /** Comment lines and strings with a word of ODD. */
  oddInComments: CommentLine[];
  oddInStrings: CommentLine[];
}

export function measureWords(source: string): FileWords {
  const { comments, code } = splitSource(source);
  return {
    commentLines: comments.length,
    lateSubjects: comments.filter(({ text }) => LATE_SUBJECT.test(text)),
    tellInComments: count(comments.map(({ text }) => text)),
    tellInStrings: count(code.flatMap(({ text }) => text.match(STRING) ?? [])),
    oddInComments: comments.filter(({ text }) => ODD.test(text)),
    oddInStrings: code.filter(({ text }) => text.match(STRING)?.some((string) => ODD.test(string))),
  };
}

/** Finds lines of a Markdown page, outside of fences, with a word of ODD. */
export function findOddLines(page: string): CommentLine[] {
  let isFenced = false;
  return page.split('\n').flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) isFenced = !isFenced;
    return !isFenced && ODD.test(text.replace(/`[^`]*`|"[^"]*"/g, '')) ? [{ line: index + 1, text }] : [];
  });
}

/** Works line by line. A `//` inside a string is no comment, because an odd number of quotes precedes it. */
function splitSource(source: string): { comments: CommentLine[]; code: CommentLine[] } {
  const comments: CommentLine[] = [];
  const code: CommentLine[] = [];
  let isInBlock = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.trim();
    const opens = !isInBlock && /^\{?\/\*/.test(line);
    if (isInBlock || opens) {
      isInBlock = !line.includes('*/');
      const text = line
        .replace(/^\{?\/\*+/, '')
        .replace(/\*\/.*$/, '')
        .replace(/^\*/, '')
        .trim();
      if (text) comments.push({ line: index + 1, text });
      continue;
    }
    const start = findLineComment(line);
    if (start >= 0 && line.slice(start + 2).trim()) {
      comments.push({ line: index + 1, text: line.slice(start + 2).trim() });
    }
    code.push({ line: index + 1, text: start >= 0 ? line.slice(0, start) : line });
  }
  return { comments, code };
}

function findLineComment(line: string): number {
  if (line.startsWith('//')) return 0;
  const start = line.search(/\s\/\/\s/) + 1;
  if (start === 0) return -1;
  const isQuoted = ["'", '"', '`'].some((quote) => line.slice(0, start).split(quote).length % 2 === 0);
  return isQuoted ? -1 : start;
}

function count(texts: string[]): number {
  return texts.reduce((sum, text) => sum + (text.match(TELL)?.length ?? 0), 0);
}
