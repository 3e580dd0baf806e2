import type { Convert } from '../job/conversion.ts';
import { type Links, runsToMarkdown } from './docx-runs.ts';
import { readStyles, type Styles } from './docx-styles.ts';
import { findMainPart, findRelated, toTable } from './office-parts.ts';
import { childrenOf, find, findAll, readElements, readRelations, type XmlElement } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

const NOTES = [
  { kind: 'footnotes', name: 'footnote', mark: '' },
  { kind: 'endnotes', name: 'endnote', mark: 'e' },
];

export const convertDocx: Convert = async (bytes, { emit, isLate }) => {
  const zip = openZip(bytes);
  const { part = '' } = (await findMainPart(zip)) ?? {};
  const writer = createBlockWriter(await readStyles(zip, part), await readRelations(zip, part));
  for await (const block of readElements(zip, part, ['p', 'tbl'])) {
    const text = writer.write(block);
    if (text !== '' && !emit(text)) return { left: ['the rest of the document'] };
    if (isLate()) return { left: ['the rest of the document, for lack of time'] };
  }
  for (const note of NOTES) {
    const notes = await findRelated(zip, part, note.kind);
    for (const text of await readNotes(zip, notes, note)) emit(text);
  }
  return { left: [] };
};

async function readNotes(zip: Zip, part: string, { name, mark }: (typeof NOTES)[number]): Promise<string[]> {
  const texts: string[] = [];
  const links = await readRelations(zip, part);
  for await (const note of readElements(zip, part, [name])) {
    const paragraphs = childrenOf(note, 'p').map((paragraph) => runsToMarkdown(paragraph, links).trim());
    const text = paragraphs.filter(Boolean).join(' ');
    // The first two notes are the separator lines.
    if (text !== '' && note.attributes.type === undefined) texts.push(`\n\n[^${mark}${note.attributes.id}]: ${text}`);
  }
  return texts;
}

/** Converts blocks in sequence and tracks the counters of their lists. */
interface BlockWriter {
  /** A paragraph or table as Markdown, with its preceding space; empty for an empty paragraph. */
  write(block: XmlElement): string;
}

function createBlockWriter(styles: Styles, links: Links): BlockWriter {
  const counters = new Map<string, number[]>();
  let before: 'nothing' | 'list' | 'block' = 'nothing';

  function point(paragraph: XmlElement): string | undefined {
    const place = styles.listPlace(paragraph);
    if (!place) return undefined;
    const level = styles.listLevel(place);
    const numbers = (counters.get(place.list) ?? []).slice(0, place.level + 1);
    const next = (numbers[place.level] ?? (level?.start ?? 1) - 1) + 1;
    numbers[place.level] = next;
    counters.set(place.list, numbers);
    return `${'   '.repeat(place.level)}${level?.isOrdered ? `${next}.` : '-'} `;
  }

  function separate(kind: 'list' | 'block'): string {
    const space = before === 'nothing' ? '' : before === 'list' && kind === 'list' ? '\n' : '\n\n';
    before = kind;
    return space;
  }

  function paragraphText(paragraph: XmlElement): string {
    const text = runsToMarkdown(paragraph, links).trim();
    if (text === '') return '';
    const heading = styles.headingLevel(paragraph);
    if (heading !== undefined) return `${separate('block')}${'#'.repeat(heading)} ${oneLine(text)}`;
    const mark = point(paragraph);
    return mark === undefined ? separate('block') + text : separate('list') + mark + oneLine(text);
  }

  function tableText(table: XmlElement): string {
    const text = toTable(rowsOf(table).map((row) => cellsOf(row).flatMap((cell) => cellTexts(cell, links))));
    return text === '' ? '' : separate('block') + text;
  }

  return {
    write(block) {
      if (block.name === 'tbl') return tableText(block);
      const own = paragraphText(withoutBoxes(block));
      const boxes = textBoxes(block).flatMap((box) => blocksOf(box).map((inner) => this.write(inner)));
      return own + boxes.join('');
    },
  };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Rows and cells may be wrapped in content controls; tracked deletions are skipped. */
function rowsOf(table: XmlElement): XmlElement[] {
  return unwrap(table, 'tr').filter((row) => !find(row, 'trPr', 'del'));
}

function cellsOf(row: XmlElement): XmlElement[] {
  return unwrap(row, 'tc').filter((cell) => !find(cell, 'tcPr', 'cellDel'));
}

function blocksOf(element: XmlElement): XmlElement[] {
  return [...unwrap(element, 'p', 'tbl')];
}

function unwrap(element: XmlElement, ...names: string[]): XmlElement[] {
  return childrenOf(element).flatMap((child) => {
    if (names.includes(child.name)) return [child];
    return ['sdt', 'sdtContent', 'ins', 'customXml', 'smartTag'].includes(child.name) ? unwrap(child, ...names) : [];
  });
}

/** A cell's text, followed by an empty cell for each further column that it spans. */
function cellTexts(cell: XmlElement, links: Links): string[] {
  const properties = find(cell, 'tcPr');
  const merge = find(properties, 'vMerge');
  const isContinued = merge !== undefined && merge.attributes.val !== 'restart';
  const span = Math.min(Number(find(properties, 'gridSpan')?.attributes.val ?? 1) || 1, 64);
  const text = isContinued
    ? ''
    : blocksOf(cell)
        .map((block) => flatText(block, links))
        .filter(Boolean)
        .join('\n');
  return [text, ...Array.from({ length: span - 1 }, () => '')];
}

/** Tables inside cells are flattened, because Markdown has none. */
function flatText(block: XmlElement, links: Links): string {
  if (block.name === 'p') return runsToMarkdown(block, links).trim();
  return rowsOf(block)
    .map((row) =>
      cellsOf(row)
        .map((cell) =>
          blocksOf(cell)
            .map((inner) => flatText(inner, links))
            .join(' '),
        )
        .join('; '),
    )
    .join('\n');
}

/** Text boxes of the newer kind; the older kind repeats the same text for old readers. */
function textBoxes(paragraph: XmlElement): XmlElement[] {
  return findAll(dropFallbacks(paragraph), 'txbxContent');
}

function dropFallbacks(element: XmlElement): XmlElement {
  return without(element, 'Fallback');
}

function withoutBoxes(paragraph: XmlElement): XmlElement {
  return without(paragraph, 'Fallback', 'txbxContent');
}

function without(element: XmlElement, ...names: string[]): XmlElement {
  const children = element.children.flatMap((child): XmlElement['children'] => {
    if (typeof child === 'string') return [child];
    return names.includes(child.name) ? [] : [without(child, ...names)];
  });
  return { ...element, children };
}
