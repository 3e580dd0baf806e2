/** Reads HTML as Markdown: headings, paragraphs, lists, tables and code. Takes time in proportion to its length. */
export function htmlToMarkdown(html: string): { text: string; title?: string } {
  const page = createPage();
  for (const token of tokens(html)) {
    if (token.tag === undefined) page.text(token.text);
    else page.tag(token.tag, token.isEnd);
  }
  return page.end();
}

interface Token {
  text: string;
  tag?: string;
  isEnd: boolean;
}

/** Elements whose content is no text of the page. */
const SILENT = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'nav', 'object', 'math', 'select'];
/** Elements whose content is not HTML; their end is searched for as text. */
const RAW = ['script', 'style', 'noscript', 'template', 'iframe', 'textarea', 'title'];
const BREAKS =
  'p div section article main header footer aside ul ol dl dt dd blockquote figure figcaption form fieldset address hr details summary body html table';

function* tokens(html: string): Generator<Token> {
  const lower = html.toLowerCase();
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      yield { text: html.slice(at), isEnd: false };
      return;
    }
    if (open > at) yield { text: html.slice(at, open), isEnd: false };
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open);
      continue;
    }
    const name = /^<(\/?)([a-z][a-z0-9]*)|^<[!?]/i.exec(html.slice(open, open + 40));
    if (!name) {
      yield { text: '<', isEnd: false };
      at = open + 1;
      continue;
    }
    at = endOfTag(html, open);
    const tag = (name[2] ?? '').toLowerCase();
    if (tag === '') continue;
    const isEnd = name[1] === '/';
    yield { text: '', tag, isEnd };
    if (isEnd || !RAW.includes(tag)) continue;
    const close = lower.indexOf(`</${tag}`, at);
    const end = close < 0 ? html.length : close;
    yield { text: html.slice(at, end), isEnd: false };
    at = end;
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** A `>` inside a quoted attribute does not end the tag. */
function endOfTag(html: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < html.length; at++) {
    const letter = html[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if ((letter === '"' || letter === "'") && html[at - 1] === '=') quote = letter;
    else if (letter === '>') return at + 1;
  }
  return html.length;
}

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
      const plain = decodeEntities(text);
      if (row && row.length > 0) row[row.length - 1] += plain.replaceAll('|', '\\|');
      else if (!row) parts.push(isCode ? plain : plain.replace(/\s+/g, ' '));
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
      const name = decodeEntities(title).replace(/\s+/g, ' ').trim();
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

const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'amp:& lt:< gt:> quot:" apos:\' ndash:– mdash:— hellip:… lsquo:‘ rsquo:’ ldquo:“ rdquo:” bull:• middot:· copy:© ' +
    'reg:® trade:™ euro:€ pound:£ sect:§ para:¶ times:× deg:° auml:ä ouml:ö uuml:ü Auml:Ä Ouml:Ö Uuml:Ü szlig:ß ' +
    'eacute:é egrave:è agrave:à ccedil:ç nbsp:'
  )
    .split(' ')
    .map((pair) => pair.split(':'))
    .map(([name = '', letter]) => [name, letter || ' ']),
);

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}
