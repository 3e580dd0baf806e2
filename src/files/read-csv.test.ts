import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvFault, readCsv } from './read-csv.ts';

async function read(
  text: string,
  delimiter?: string,
): Promise<{ rows: string[][]; lines: number[]; faults: CsvFault[] }> {
  const rows: string[][] = [];
  const lines: number[] = [];
  const faults = await readCsv(text, {
    ...(delimiter !== undefined && { delimiter }),
    onRow: ({ fields, line }) => {
      rows.push(fields);
      lines.push(line);
    },
  });
  return { rows, lines, faults };
}

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;

describe('readCsv', () => {
  const good: [text: string, rows: string[][]][] = [
    ['a,b\n1,2\n', [['a', 'b'], ['1', '2']]], // biome-ignore format: a row a line
    ['a,b\r\n1,2', [['a', 'b'], ['1', '2']]], // biome-ignore format: a row a line
    ['\uFEFFa\n"x, y"', [['a'], ['x, y']]],
    ['"he said ""hi""",2\n', [['he said "hi"', '2']]],
    ['"two\nlines",\n', [['two\nlines', '']]],
    ['', []],
  ];
  it.each(good)('reads %j', async (text, rows) => {
    expect(await read(text)).toMatchObject({ rows, faults: [] });
  });

  it('knows the line of each row, after empty lines and lines inside of quotes', async () => {
    const { lines } = await read('a,b\r\n1,"x\r\ny"\r\n\r\n3,4\r\n5,6');
    expect(lines).toEqual([1, 2, 5, 6]);
  });

  it('names every row with too many or too few fields', async () => {
    const { faults } = await read('a,b\n1,2\n1,2,3\n\n4\n5,6\n');
    expect(faults).toEqual([
      { line: 3, problem: 'the row has 3 fields, the first row has 2' },
      { line: 5, problem: 'the row has 1 field, the first row has 2' },
    ]);
  });

  it.each([
    ['a,b\n1,2\n3,"x\n5,6\n', 3, 'a quote is opened and never closed'],
    [
      'a,b\n1,"x\n3,"y"\n',
      2,
      'a quoted value is followed by other text; a quote may be missing, or must be written twice',
    ],
    ['a,b\n1,5" pipe\n', 2, 'a quote is inside a value that does not begin with one'],
  ])('names the row of a misplaced quote: %j', async (text, line, problem) => {
    expect((await read(text)).faults).toEqual([{ line, problem }]);
  });

  it('ends after a hundred faults', async () => {
    const { faults, rows } = await read(`a,b\n${'x\n'.repeat(100_000)}`);
    expect([faults.length, rows.length]).toEqual([100, 100]);
  });

  it('reads pieces that end inside of a row, a quote or a character', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [`é${at}`, `"quoted", ${at}\r\nand more`]);
    const text = rows.map((row) => row.map(quote).join(',')).join('\r\n');
    const found = await read(text);
    expect([found.rows, found.faults]).toEqual([rows, []]);
    expect(found.lines.at(-1)).toBe(rows.length * 2 - 1);
  });

  it('reads back every record that was written with quotes', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') });
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = rows.map((row) => row.map(quote).join(',')).join('\n');
        expect(await read(text)).toMatchObject({ rows, faults: [] });
      }),
    );
  });
});
