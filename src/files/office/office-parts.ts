import type { MimeType } from '../../schema/file.ts';
import { childrenOf, readRelations, readRoot } from './xml.ts';
import type { Zip } from './zip.ts';

type OfficeType = Extract<MimeType, `application/vnd.${string}`>;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
/** Content types of main parts. Workbooks in Excel's binary format have none of these. */
const CONTENT_TYPES: readonly (readonly [pattern: RegExp, type: OfficeType])[] = [
  [/wordprocessingml|ms-word\.document/i, `${OFFICE}.wordprocessingml.document`],
  [/spreadsheetml|ms-excel\.sheet\.macroEnabled/i, `${OFFICE}.spreadsheetml.sheet`],
  [/presentationml|ms-powerpoint\.presentation/i, `${OFFICE}.presentationml.presentation`],
];
/** The main part in an archive whose relationships do not name it. */
const USUAL_PARTS: Readonly<Record<string, OfficeType>> = {
  'word/document.xml': `${OFFICE}.wordprocessingml.document`,
  'xl/workbook.xml': `${OFFICE}.spreadsheetml.sheet`,
  'ppt/presentation.xml': `${OFFICE}.presentationml.presentation`,
};

interface MainPart {
  part: string;
  type: OfficeType;
}

/** The main part of an Office file. Its name may vary; only the relationship is fixed. */
export async function findMainPart(zip: Zip): Promise<MainPart | undefined> {
  const relations = [...(await readRelations(zip, '')).values()];
  const part = relations.find(({ type }) => type === 'officeDocument')?.target;
  if (part !== undefined && zip.entries.has(part)) {
    const type = (await readContentType(zip, part)) ?? USUAL_PARTS[part];
    if (type) return { part, type };
  }
  const usual = Object.keys(USUAL_PARTS).find((name) => zip.entries.has(name));
  const type = USUAL_PARTS[usual ?? ''];
  return usual !== undefined && type ? { part: usual, type } : undefined;
}

async function readContentType(zip: Zip, part: string): Promise<OfficeType | undefined> {
  const types = await readRoot(zip, '[Content_Types].xml', 'Types');
  const own = childrenOf(types, 'Override').find(({ attributes }) => attributes.PartName === `/${part}`);
  const named = own?.attributes.ContentType ?? '';
  return CONTENT_TYPES.find(([pattern]) => pattern.test(named))?.[1];
}

/** The part with this kind of relationship; empty if there is none, because no part has an empty name. */
export async function findRelated(zip: Zip, part: string, kind: string): Promise<string> {
  const relations = [...(await readRelations(zip, part)).values()];
  return relations.find(({ type }) => type === kind)?.target ?? '';
}

/** Spreadsheets and slides write characters that XML cannot hold as `_x000D_`. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  const decoded = text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded.replace(/\r\n?|\v/g, '\n');
}

/** Rows as a Markdown table, with the first row as its header. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head, ...body] = rows;
  if (!head || width === 0) return '';
  return [toRow(head, width), `|${' --- |'.repeat(width)}`, ...body.map((row) => toRow(row, width))].join('\n');
}

export function toRow(cells: readonly string[], width: number): string {
  const all = Array.from({ length: Math.max(width, cells.length) }, (_, index) => escapeCell(cells[index] ?? ''));
  return `| ${all.join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, '<br>');
}
