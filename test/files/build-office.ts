import { buildZip, type ZipEntry } from './build-zip.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const KINDS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Relationships of a main part to the existing parts beside it. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  word: ['styles', 'numbering', 'footnotes', 'endnotes'],
  xl: ['styles', 'sharedStrings'],
  ppt: [],
};

/**
 * Builds a package. References of the root and the main part are written as relationships, like every program does.
 * `rename` gives parts other names and updates their references.
 */
function buildPackage(main: string, parts: Record<string, string>, rename: Record<string, string> = {}): Buffer {
  const [folder = '', file = ''] = main.split('/');
  const own = `${folder}/_rels/${file}.rels`;
  const beside = (BESIDE[folder] ?? []).filter((kind) => `${folder}/${kind}.xml` in parts);
  const added = beside.map((kind) => relation(`rel_${kind}`, kind, `${kind}.xml`)).join('');
  const before = parts[own] ?? relationsOf([]);
  const content = `${CONTENT_TYPES[folder]}.main+xml`;
  const all = {
    '[Content_Types].xml': `<Types><Override PartName="/${main}" ContentType="${content}"/></Types>`,
    '_rels/.rels': relationsOf([['officeDocument', main]]),
    ...parts,
    [own]: before.replace('</Relationships>', `${added}</Relationships>`),
  };
  const renamed = Object.entries(all).map(([name, xml]) => [renameIn(name, rename), renameIn(xml, rename)]);
  return buildZip(toEntries(Object.fromEntries(renamed)));
}

function renameIn(text: string, rename: Record<string, string>): string {
  return Object.entries(rename).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  word: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xl: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** A Word document from the XML of its body; other parts by name. */
export function buildDocx(body: string, parts: Record<string, string> = {}, rename?: Record<string, string>): Buffer {
  const document = `<?xml version="1.0" encoding="UTF-8"?><w:document ${W} ${R}><w:body>${body}</w:body></w:document>`;
  return buildPackage('word/document.xml', { 'word/document.xml': document, ...parts }, rename);
}

export function styles(xml: string): Record<string, string> {
  return { 'word/styles.xml': `<w:styles ${W}>${xml}</w:styles>` };
}

export function numbering(xml: string): Record<string, string> {
  return { 'word/numbering.xml': `<w:numbering ${W}>${xml}</w:numbering>` };
}

/** A workbook from the XML of each sheet's rows. */
export function buildXlsx(
  sheets: Record<string, string>,
  parts: Record<string, string> = {},
  { properties = '', rename = {} }: { properties?: string; rename?: Record<string, string> } = {},
): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  const workbook = `<workbook ${S} ${R}>${properties}<sheets>${list.join('')}</sheets></workbook>`;
  const relations = relationsOf(names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]));
  const rows = Object.fromEntries(
    Object.values(sheets).map((xml, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheet(xml)]),
  );
  const all = { 'xl/workbook.xml': workbook, 'xl/_rels/workbook.xml.rels': relations, ...rows, ...parts };
  return buildPackage('xl/workbook.xml', all, rename);
}

function sheet(rows: string): string {
  return `<worksheet ${S}><sheetData>${rows}</sheetData></worksheet>`;
}

export function sharedStrings(xml: string): Record<string, string> {
  return { 'xl/sharedStrings.xml': `<sst ${S}>${xml}</sst>` };
}

export function cellStyles(xml: string): Record<string, string> {
  return { 'xl/styles.xml': `<styleSheet ${S}>${xml}</styleSheet>` };
}

export interface Slide {
  /** The XML of the slide's shapes. */
  shapes: string;
  notes?: string;
  hidden?: boolean;
}

export function buildPptx(slides: readonly Slide[], rename?: Record<string, string>): Buffer {
  const list = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  const presentation = `<p:presentation ${P} ${R}><p:sldIdLst>${list.join('')}</p:sldIdLst></p:presentation>`;
  const parts: Record<string, string> = {
    'ppt/presentation.xml': presentation,
    'ppt/_rels/presentation.xml.rels': relationsOf(slides.map((_, index) => ['slide', `slides/slide${index + 1}.xml`])),
  };
  for (const [index, { shapes, notes, hidden }] of slides.entries()) {
    const number = index + 1;
    const show = hidden ? ' show="0"' : '';
    parts[`ppt/slides/slide${number}.xml`] =
      `<p:sld ${P}${show}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    if (notes === undefined) continue;
    const body = shape(notes, 'body');
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relationsOf([['notesSlide', `../notesSlides/n${number}.xml`]]);
    parts[`ppt/notesSlides/n${number}.xml`] = `<p:notes ${P}><p:cSld><p:spTree>${body}</p:spTree></p:cSld></p:notes>`;
  }
  return buildPackage('ppt/presentation.xml', parts, rename);
}

/** A shape with a paragraph per line; `placeholder` is its role on the slide. */
export function shape(text: string, placeholder?: string): string {
  const role = placeholder === undefined ? '' : `<p:ph type="${placeholder}"/>`;
  const paragraphs = text.split('\n').map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`);
  return `<p:sp><p:nvSpPr><p:nvPr>${role}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}

/** A paragraph of Word with plain text. */
export function paragraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export function relationsOf(relations: readonly (readonly [kind: string, target: string, mode?: string])[]): string {
  const list = relations.map(([kind, target, mode], index) => relation(`rId${index + 1}`, kind, target, mode));
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`;
}

function relation(id: string, kind: string, target: string, mode?: string): string {
  return `<Relationship Id="${id}" Type="${KINDS}/${kind}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`;
}

function toEntries(parts: Record<string, string>): ZipEntry[] {
  return Object.entries(parts).map(([name, content]) => ({ name, content }));
}
