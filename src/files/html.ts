import { Parser } from 'htmlparser2';

/** Reads HTML as Markdown: headings, paragraphs, lists, tables and code. Takes time in proportion to its length. */
export function htmlToMarkdown(html: string): { text: string; title?: string } {
  const page = createPage();
  let depth = 0;
  const parser = new Parser({
    onopentagname: (tag) => page.tag(tag, false),
    onopentag: () => void depth++,
    onclosetag: (tag) => {
      depth--;
      page.tag(tag, true);
    },
    ontext: (text) => page.text(text),
  });
  for (let at = 0; at < html.length; ) {
    const end = html.indexOf('>', at + PIECE_CHARS) + 1 || html.length;
    parser.write(html.slice(at, end));
    at = end;
    if (depth < MAX_DEPTH) continue;
    parser.reset();
    depth = 0;
  }
  parser.end();
  return page.end();
}

const PIECE_CHARS = 16_384;
/** The parser's time for a tag grows with the open elements; a page with more of them begins anew. */
const MAX_DEPTH = 2_000;

/** Elements whose content is no text of the page. */
const SILENT = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'object', 'math', 'select'];
const BREAKS =
  'p div section article main header footer aside ul ol dl dt dd blockquote figure figcaption form fieldset address hr details summary body html table';

function createPage() {
  const parts: string[] = [];
  let silent: string | undefined;
  let title = '';
  let isTitle = false;
  let isCode = false;
  let row: string[] | undefined;
  let isFirstRow = true;
  const breaks = new Set(BREAKS.split(' '));

  const startsOrEnds: Record<string, (isEnd: boolean) => void> = {
    title: (isEnd) => {
      isTitle = !isEnd;
    },
    pre: (isEnd) => {
      isCode = !isEnd;
      parts.push(isEnd ? '\n```\n\n' : '\n\n```\n');
    },
    br: () => void parts.push('\n'),
    li: (isEnd) => void parts.push(isEnd ? '' : '\n- '),
    table: (isEnd) => {
      isFirstRow = !isEnd;
      parts.push('\n\n');
    },
    tr: (isEnd) => {
      if (isEnd && row) {
        parts.push(`\n| ${row.map((cell) => cell.trim().replace(/\s+/g, ' ')).join(' | ')} |`);
        if (isFirstRow) parts.push(`\n|${' --- |'.repeat(row.length)}`);
        isFirstRow = false;
      }
      row = isEnd ? undefined : [];
    },
    td: (isEnd) => void (isEnd || row?.push('')),
    th: (isEnd) => void (isEnd || row?.push('')),
  };

  return {
    text(text: string): void {
      if (isTitle) title += text;
      if (isTitle || silent !== undefined) return;
      if (row && row.length > 0) row[row.length - 1] += text.replaceAll('|', '\\|');
      else if (!row) parts.push(isCode ? text : text.replace(/\s+/g, ' '));
    },
    tag(tag: string, isEnd: boolean): void {
      if (silent !== undefined) {
        if (isEnd && tag === silent) silent = undefined;
        return;
      }
      if (!isEnd && SILENT.includes(tag)) silent = tag;
      else if (/^h[1-6]$/.test(tag)) parts.push(isEnd ? '\n\n' : `\n\n${'#'.repeat(Number(tag[1]))} `);
      else if (startsOrEnds[tag]) startsOrEnds[tag](isEnd);
      else if (breaks.has(tag) && !row) parts.push('\n\n');
    },
    end(): { text: string; title?: string } {
      const text = tidy(parts.join(''));
      const name = title.replace(/\s+/g, ' ').trim();
      return { text, ...(name !== '' && { title: name }) };
    },
  };
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n (?=\S)/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
