import { describe, expect, it } from 'vitest';
import { buildXlsx, cellStyles, sharedStrings } from '../../../test/files/build-office.ts';
import { runConverter } from '../../../test/files/read-fixture.ts';
import { detectType } from '../detect.ts';
import { convertXlsx, dateFormatOf, formatSerial } from './convert-xlsx.ts';

describe('convertXlsx', () => {
  it('shows cells as people see them', async () => {
    const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
    const bytes = buildXlsx(
      {
        Values:
          row('<c t="s"><v>0</v></c>', '<c t="s"><v>1</v></c>') +
          row('<c s="1"><v>46053</v></c>', '<c s="2"><v>0.125</v></c>') +
          row('<c t="b"><v>1</v></c>', '<c t="e"><v>#DIV/0!</v></c>') +
          row(
            '<c><f>A1+1</f><v>0.30000000000000004</v></c>',
            '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
          ),
      },
      {
        ...sharedStrings('<si><t>日付</t><rPh><t>ひづけ</t></rPh></si><si><r><t>rich</t></r><r><t> text</t></r></si>'),
        ...cellStyles('<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs>'),
      },
    );
    expect(await runConverter(convertXlsx, bytes)).toEqual({
      text: '## Sheet: Values\n\n| 日付 | rich text |\n| --- | --- |\n| 2026-01-31 | 12.5% |\n| TRUE | #DIV/0! |\n| 0.3 | inline |',
      size: '1 sheet',
      left: [],
    });
  });

  it('puts cells into their columns and leaves empty rows out', async () => {
    const bytes = buildXlsx({
      Gaps: '<row r="1"><c r="B1"><v>1</v></c></row><row r="2"><c r="A2"/></row><row r="9"><c r="D9"><v>2</v></c></row>',
      Empty: '',
    });
    const { text } = await runConverter(convertXlsx, bytes);
    expect(text).toBe(
      '## Sheet: Gaps\n\n|  | 1 |  |  |\n| --- | --- | --- | --- |\n|  |  |  | 2 |\n\n## Sheet: Empty\n',
    );
  });

  it('finds its parts by relationship, whatever they are called', async () => {
    const bytes = buildXlsx(
      { S: '<row><c t="s"><v>0</v></c><c s="0"><v>0.5</v></c></row>' },
      { ...sharedStrings('<si><t>text</t></si>'), ...cellStyles('<cellXfs><xf numFmtId="9"/></cellXfs>') },
      { rename: { 'workbook.xml': 'workbook2.xml', 'sharedStrings.xml': 'texts.xml', 'styles.xml': 'styles3.xml' } },
    );
    expect(await detectType(bytes)).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect((await runConverter(convertXlsx, bytes)).text).toContain('| text | 50% |');
  });

  it('decodes the characters that are written as escapes', async () => {
    const row = '<row><c t="s"><v>0</v></c><c t="str"><v>a_x0009_b</v></c><c t="s"><v>1</v></c></row>';
    const texts = sharedStrings('<si><t>one_x000D_\ntwo_x000D_three</t></si><si><t>_x005F_x000D_ _xyz_</t></si>');
    expect((await runConverter(convertXlsx, buildXlsx({ S: row }, texts))).text).toContain(
      '| one<br>two<br>three | a\tb | _x000D_ _xyz_ |',
    );
  });

  it('counts from 1904 where the workbook does', async () => {
    const formats = cellStyles('<cellXfs><xf numFmtId="14"/></cellXfs>');
    const bytes = buildXlsx({ S: '<row><c s="0"><v>0</v></c></row>' }, formats, {
      properties: '<workbookPr date1904="1"/>',
    });
    expect((await runConverter(convertXlsx, bytes)).text).toContain('| 1904-01-01 |');
  });

  it('says which rows were left out when it must stop, and which columns', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `<row r="${index + 1}"><c><v>${index}</v></c></row>`).join(
      '',
    );
    let pieces = 0;
    const few = await runConverter(convertXlsx, buildXlsx({ Long: rows }), { emit: () => ++pieces < 150 });
    expect(few.left).toEqual(['sheet Long: rows after 148']);
    const wide = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>';
    expect((await runConverter(convertXlsx, buildXlsx({ Wide: wide }))).left).toEqual([
      'sheet Wide: columns after the 256th',
    ]);
  });
});

describe('dateFormatOf', () => {
  it.each([
    [14, undefined, 'date'],
    [22, undefined, 'date-time'],
    [46, undefined, 'duration'],
    [0, undefined, undefined],
    [164, 'dd.mm.yyyy', 'date'],
    [164, 'mmm yy', 'date'],
    [164, '[$-407]d. mmmm yyyy;@', 'date'],
    [164, 'yyyy-mm-dd hh:mm', 'date-time'],
    [164, 'h:mm AM/PM', 'time'],
    [164, '[h]:mm:ss', 'duration'],
    [164, '#,##0.00 "days"', undefined],
    [164, '0.00 \\d', undefined],
    [164, 'General', undefined],
  ])('reads format %s %s as %s', (id, code, expected) => {
    expect(dateFormatOf(id, code)).toBe(expected);
  });
});

describe('formatSerial', () => {
  it('counts from 1900 with its leap day that never was, or from 1904', () => {
    expect(formatSerial(46053, 'date', false)).toBe('2026-01-31');
    expect(formatSerial(1, 'date', false)).toBe('1900-01-01');
    expect(formatSerial(61, 'date', false)).toBe('1900-03-01');
    expect(formatSerial(44591, 'date', true)).toBe('2026-01-31');
  });

  it('shows times to the second, and durations beyond a day', () => {
    expect(formatSerial(46053.5729166667, 'date-time', false)).toBe('2026-01-31 13:45:00');
    expect(formatSerial(0.75, 'time', false)).toBe('18:00:00');
    expect(formatSerial(1.5, 'duration', false)).toBe('36:00:00');
  });

  it('gives back a number that is no date', () => {
    expect(formatSerial(1e15, 'date', false)).toBe('1000000000000000');
  });
});
