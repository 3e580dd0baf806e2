/** A place of a passage that states facts of its own: a sentence, a list item, or a row of a table. */
export interface TextPlace {
  text: string;
  /** Words that hold for the place too: the headings above it, and the line that a list belongs to. */
  context: string;
  kind: 'sentence' | 'item' | 'row' | 'code';
  /** The cells of a row, each with the name of its column. */
  cells: readonly { column: string; value: string }[];
}

const SENTENCE_END = /(?<=[.!?]["'”’)*_]*)\s+(?=["'“(*_]*[\p{Lu}\p{N}])|(?<=;)\s+/u;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
const HEADING = /^\s*#{1,6}\s+/;
const ROW = /^\s*\|.*\|\s*$|^[^|]+(?:\s\|\s[^|]*)+$/;
const RULE = /^\s*\|[\s:|-]+\|\s*$/;
const FENCE = /^\s*(?:`{3}|~{3})/;

/** Splits the text of a passage along its structure. */
export function splitPlaces(text: string): TextPlace[] {
  const places: TextPlace[] = [];
  const headings: string[] = [];
  let lead = '';
  let columns: string[] | undefined;
  for (const { text: block, isCode } of toBlocks(text)) {
    const isRow = !isCode && ROW.test(block);
    if (!isRow) columns = undefined;
    if (RULE.test(block)) continue;
    if (isCode) places.push({ text: block.trim(), context: headings.join(' '), kind: 'code', cells: [] });
    else if (HEADING.test(block)) {
      headings.splice((/#+/.exec(block)?.[0].length ?? 1) - 1, headings.length, block.replace(HEADING, ''));
      lead = '';
    } else if (isRow && !columns) columns = cellsOf(block);
    else if (isRow && columns) places.push(toRow(block, columns, headings.join(' ')));
    else if (ITEM.test(block)) {
      const [first = '', ...rest] = block.replace(ITEM, '').split(SENTENCE_END).map(plain);
      const context = [...headings, lead].join(' ');
      const item = { text: first, context, kind: 'item' as const, cells: [] };
      // Later sentences of an item are about what its first one is about.
      places.push(item, ...rest.map((own) => ({ ...item, text: own, context: `${context} ${first}` })));
    } else {
      const sentences = block.split(SENTENCE_END).map(plain);
      lead = sentences.at(-1)?.endsWith(':') ? (sentences.at(-1) ?? '') : '';
      const context = headings.join(' ');
      places.push(...sentences.map((one) => ({ text: one, context, kind: 'sentence' as const, cells: [] })));
    }
  }
  return places.filter((place) => place.text !== '');
}

/** A line that is shorter than this part of the longest one was not wrapped: it ends by itself, as in a table of a PDF. */
const WRAPPED = 0.75;

/** Lines that belong together: a paragraph, an item with its further lines, one row, one heading, one line of code. */
function toBlocks(text: string): { text: string; isCode: boolean }[] {
  const blocks: { text: string; isCode: boolean }[] = [];
  // A passage that begins or ends inside a piece of code does not show which part is code.
  const isPaired = text.split('\n').filter((line) => FENCE.test(line)).length % 2 === 0;
  let isCode = false;
  const lines = text.split('\n');
  const width = WRAPPED * Math.max(...lines.filter((line) => !ROW.test(line)).map((line) => line.length));
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const isAlone = isCode || ROW.test(line) || HEADING.test(line);
    const isNext = isOpen && ((lines[index - 1] ?? '').length >= width || /^\s*\p{Ll}/u.test(line));
    const last = blocks.at(-1);
    if (isPaired && FENCE.test(line)) isCode = !isCode;
    if (line.trim() === '' || FENCE.test(line)) isOpen = false;
    else if (last && isNext && !isAlone && !ITEM.test(line)) last.text += ` ${line.trim()}`;
    else {
      blocks.push({ text: line, isCode });
      isOpen = !isAlone;
    }
  }
  return blocks;
}

function cellsOf(row: string): string[] {
  const inside = row.trim().replace(/^\||\|$/g, '');
  return inside.split('|').map(plain);
}

function toRow(row: string, columns: readonly string[], context: string): TextPlace {
  const cells = cellsOf(row).map((value, index) => ({ column: columns[index] ?? '', value }));
  const text = cells.map(({ column, value }) => (column ? `${column}: ${value}` : value)).join(' · ');
  return { text, context, kind: 'row', cells };
}

/** The words of a Markdown link alone: its address is mostly relative to the document. */
export function withoutLinks(text: string): string {
  return text.replace(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1');
}

function plain(text: string): string {
  return withoutLinks(text)
    .replace(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`/g, '')
    .trim();
}
