import { type Convert, count } from '../job/conversion.ts';
import { decodeEscapes, findMainPart, findRelated, toTable } from './office-parts.ts';
import { childrenOf, find, findAll, readRelations, readRoot, textOf, type XmlElement } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

const TITLES = ['title', 'ctrTitle'];
/** Placeholders with the same text on every slide. */
const FURNITURE = ['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'];

export const convertPptx: Convert = async (bytes, { emit, progress, isLate }) => {
  const zip = openZip(bytes);
  const { part: main = '' } = (await findMainPart(zip)) ?? {};
  const presentation = await readRoot(zip, main, 'presentation');
  const relations = await readRelations(zip, main);
  const slides = childrenOf(find(presentation, 'sldIdLst'), 'sldId');
  let done = 0;
  for (const { attributes } of slides) {
    if (isLate()) break;
    progress(`slide ${done + 1} of ${slides.length}`);
    const text = await readSlide(zip, relations.get(attributes['r:id'] ?? '')?.target ?? '', done + 1);
    if (!emit(`${done === 0 ? '' : '\n\n'}${text}`)) break;
    done++;
  }
  const left = done < slides.length ? [`slides ${done + 1} to ${slides.length} were left out`] : [];
  return { size: count(slides.length, 'slide'), left };
};

async function readSlide(zip: Zip, part: string, number: number): Promise<string> {
  const slide = await readRoot(zip, part, 'sld');
  const shapes = shapesOf(find(slide, 'cSld', 'spTree'));
  const isTitle = (shape: XmlElement) => TITLES.includes(placeholderOf(shape) ?? '');
  const title = shapes
    .filter(isTitle)
    .map((shape) => paragraphsOf(shape).join(' '))
    .join(' ')
    .trim();
  const hidden = slide?.attributes.show === '0' ? ' (hidden)' : '';
  const body = shapes.filter((shape) => !isTitle(shape)).map(shapeText);
  const notes = await readNotes(zip, part);
  const heading = `## Slide ${number}${hidden}${title ? `: ${title}` : ''}`;
  return [heading, ...body, ...(notes ? [`Notes: ${notes}`] : [])].filter((text) => text !== '').join('\n\n');
}

/** Shapes and tables in drawing order, with groups flattened. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return childrenOf(tree).flatMap((child) => {
    if (child.name === 'grpSp') return shapesOf(child);
    if (child.name === 'AlternateContent') return shapesOf(find(child, 'Choice'));
    return ['sp', 'graphicFrame', 'cxnSp'].includes(child.name) ? [child] : [];
  });
}

function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = find(shape, 'nvSpPr', 'nvPr', 'ph');
  return placeholder && (placeholder.attributes.type ?? 'body');
}

function shapeText(shape: XmlElement): string {
  if (FURNITURE.includes(placeholderOf(shape) ?? '')) return '';
  const [table] = findAll(shape, 'tbl');
  if (table) {
    const rows = childrenOf(table, 'tr').map((row) =>
      childrenOf(row, 'tc').map((cell) => paragraphsOf(cell).join('\n')),
    );
    return toTable(rows);
  }
  const lines = paragraphsOf(shape, { asList: placeholderOf(shape) === 'body' });
  return lines.join('\n');
}

/** The paragraphs with text; those of a text placeholder become list items, indented by level. */
function paragraphsOf(element: XmlElement, { asList = false } = {}): string[] {
  return findAll(element, 'p').flatMap((paragraph) => {
    const text = runsOf(paragraph).trim();
    if (text === '') return [];
    const properties = find(paragraph, 'pPr');
    const level = Number(properties?.attributes.lvl ?? 0);
    const hasMark = find(properties, 'buChar') ?? find(properties, 'buAutoNum');
    const isPoint = hasMark !== undefined || (asList && find(properties, 'buNone') === undefined);
    return [isPoint ? `${'  '.repeat(level)}- ${text}` : text];
  });
}

function runsOf(paragraph: XmlElement): string {
  return childrenOf(paragraph)
    .map((child) =>
      child.name === 'br' ? '\n' : ['r', 'fld'].includes(child.name) ? decodeEscapes(textOf(find(child, 't'))) : '',
    )
    .join('');
}

async function readNotes(zip: Zip, part: string): Promise<string> {
  const notes = await readRoot(zip, await findRelated(zip, part, 'notesSlide'), 'notes');
  const shapes = shapesOf(find(notes, 'cSld', 'spTree')).filter((shape) => placeholderOf(shape) === 'body');
  return shapes.flatMap((shape) => paragraphsOf(shape)).join('\n');
}
