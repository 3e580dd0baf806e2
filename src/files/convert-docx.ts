import type { Convert } from './conversion.ts';
import { createBlockWriter } from './docx-blocks.ts';
import { runsToMarkdown } from './docx-runs.ts';
import { readStyles } from './docx-styles.ts';
import { childrenOf, readElements, readRelations } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

const DOCUMENT = 'word/document.xml';
const NOTES = [
  { part: 'word/footnotes.xml', name: 'footnote', mark: '' },
  { part: 'word/endnotes.xml', name: 'endnote', mark: 'e' },
];

export const convertDocx: Convert = async (bytes, { emit, isLate }) => {
  const zip = openZip(bytes);
  const writer = createBlockWriter(await readStyles(zip), await readRelations(zip, DOCUMENT));
  for await (const block of readElements(zip, DOCUMENT, ['p', 'tbl'])) {
    const text = writer.write(block);
    if (text !== '' && !emit(text)) return { left: ['the rest of the document'] };
    if (isLate()) return { left: ['the rest of the document, for lack of time'] };
  }
  for (const note of NOTES) for (const text of await readNotes(zip, note)) emit(text);
  return { left: [] };
};

async function readNotes(zip: Zip, { part, name, mark }: (typeof NOTES)[number]): Promise<string[]> {
  const texts: string[] = [];
  const links = await readRelations(zip, part);
  for await (const note of readElements(zip, part, [name])) {
    const paragraphs = childrenOf(note, 'p').map((paragraph) => runsToMarkdown(paragraph, links).trim());
    const text = paragraphs.filter(Boolean).join(' ');
    // The first two are the lines that separate notes from text.
    if (text !== '' && note.attributes.type === undefined) texts.push(`\n\n[^${mark}${note.attributes.id}]: ${text}`);
  }
  return texts;
}
