import { type ConversionContext, type Convert, count } from '../job/conversion.ts';
import { LIMITS } from '../limits.ts';
import { decodeEscapes, findMainPart, toRow } from './office-parts.ts';
import { type Cells, createCellReader } from './xlsx-cells.ts';
import { childrenOf, find, readElements, readRelations, readRoot, type XmlElement } from './xml.ts';
import { openZip, type Zip } from './zip.ts';

/** Number of rows that determine the width of a sheet's table. */
const ROWS_FOR_WIDTH = 100;

export const convertXlsx: Convert = async (bytes, context) => {
  const zip = openZip(bytes);
  const { part: main = '' } = (await findMainPart(zip)) ?? {};
  const workbook = await readRoot(zip, main, 'workbook');
  const relations = await readRelations(zip, main);
  const sheets = childrenOf(find(workbook, 'sheets'), 'sheet');
  const cells = await createCellReader(zip, main, workbook);
  const left = cells.isCut ? ['texts beyond 20 million characters'] : [];
  const budget = { cells: LIMITS.cells };
  let done = 0;
  for (const { attributes } of sheets) {
    if (context.isLate()) break;
    context.progress(`sheet ${done + 1} of ${sheets.length}`);
    const part = relations.get(attributes['r:id'] ?? '')?.target ?? '';
    const name = decodeEscapes(attributes.name ?? String(done + 1));
    const title = `${done === 0 ? '' : '\n\n'}## Sheet: ${name}\n`;
    if (!context.emit(title)) break;
    const note = await writeSheet({ zip, part, cells, budget, context });
    if (note) left.push(`sheet ${name}: ${note}`);
    done++;
  }
  if (done < sheets.length) left.push(`sheets ${done + 1} to ${sheets.length} were left out`);
  return { size: count(sheets.length, 'sheet'), left };
};

interface Sheet {
  zip: Zip;
  part: string;
  cells: Cells;
  budget: { cells: number };
  context: ConversionContext;
}

/** Emits a sheet as one table, row by row; returns a note on omitted parts. */
async function writeSheet({ zip, part, cells, budget, context }: Sheet): Promise<string | undefined> {
  if (!zip.entries.has(part)) return 'it is missing';
  const first: string[][] = [];
  let width: number | undefined;
  let isWide = false;
  let last = 0;
  const write = (row: readonly string[]) => context.emit(`\n${toRow(row, width ?? 0)}`);
  const begin = (): boolean => {
    width = Math.max(0, ...first.map((row) => row.length));
    const [head, ...body] = first;
    if (!head) return true;
    return write(head) && context.emit(`\n|${' --- |'.repeat(width)}`) && body.every((row) => write(row));
  };
  for await (const row of readElements(zip, part, ['row'])) {
    last = Number(row.attributes.r ?? last + 1);
    const values = rowValues(row, cells);
    isWide ||= values.length > LIMITS.columns;
    if (values.length === 0) continue;
    budget.cells -= values.length;
    const kept = values.slice(0, LIMITS.columns);
    if (width === undefined) first.push(kept);
    const isWanted = width !== undefined ? write(kept) : first.length < ROWS_FOR_WIDTH || begin();
    if (!isWanted || budget.cells < 0 || context.isLate()) {
      if (width === undefined) begin();
      return `rows after ${last}`;
    }
  }
  if (width === undefined) begin();
  return isWide ? `columns after the ${LIMITS.columns}th` : undefined;
}

/** The row's cells by column, without trailing empty ones. */
function rowValues(row: XmlElement, cells: Cells): string[] {
  const values: string[] = [];
  let column = 0;
  for (const cell of childrenOf(row, 'c')) {
    column = columnOf(cell.attributes.r) ?? column;
    const value = cells.read(cell);
    if (value !== '') {
      while (values.length < Math.min(column, LIMITS.columns + 1)) values.push('');
      values.push(value);
    }
    column++;
  }
  return values;
}

/** `C7` → 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
