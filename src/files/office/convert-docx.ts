import type { Convert } from '../job/conversion.ts';
import { createBlockWriter } from './docx-blocks.ts';
import { runsToMarkdown } from './docx-runs.ts';
import { readStyles } from './docx-styles.ts';
import { findMainPart, findRelated } from './office-parts.ts';
import { childrenOf, readElements, readRelations } from './xml.ts';
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
