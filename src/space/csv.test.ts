import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';

const parse = (text: string) => [...parseCsv(text)];
const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;

describe('parseCsv', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\uFEFFa\n"x, y"', [['a'], ['x, y']]],
    ['"he said ""hi""",2\n', [['he said "hi"', '2']]],
    ['"two\nlines",\n', [['two\nlines', '']]],
    [
      'a,,c\n\n,\n',
      [
        ['a', '', 'c'],
        ['', ''],
      ],
    ],
    ['"never closed', [['never closed']]],
    ['', []],
  ])('reads %j', (text, records) => {
    expect(parse(text)).toEqual(records);
  });

  it('reads back every record that was written with quotes', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (records) => {
        expect(parse(records.map((record) => record.map(quote).join(',')).join('\n'))).toEqual(records);
      }),
    );
  });
});
