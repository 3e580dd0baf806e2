import { describe, expect, it } from 'vitest';
import {
  buildDocx,
  buildPptx,
  numbering,
  paragraph,
  relationsOf,
  shape,
  styles,
} from '../../../test/files/build-office.ts';
import { runConverter } from '../../../test/files/read-fixture.ts';
import { detectType } from '../detect.ts';
import { convertDocx } from './convert-docx.ts';
import { convertPptx } from './convert-pptx.ts';

async function read(body: string, parts: Record<string, string> = {}): Promise<string> {
  return (await runConverter(convertDocx, buildDocx(body, parts))).text;
}

describe('convertDocx', () => {
  it('knows headings by their style, by what that is based on, and by their outline level', async () => {
    const heading = (id: string) => `<w:pStyle w:val="${id}"/>`;
    const table = styles(
      '<w:style w:styleId="U1"><w:name w:val="heading 1"/></w:style>' +
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="U2"/></w:style>' +
        '<w:style w:styleId="U2"><w:name w:val="Heading 2"/></w:style>' +
        '<w:style w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>' +
        '<w:style w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>',
    );
    const body =
      paragraph('One', heading('U1')) +
      paragraph('Two', heading('Mine')) +
      paragraph('Three', '<w:outlineLvl w:val="2"/>') +
      paragraph('In a circle', heading('A'));
    expect(await read(body, table)).toBe('# One\n\n## Two\n\n### Three\n\nIn a circle');
  });

  it('counts ordered lists and indents their levels', async () => {
    const lists = numbering(
      '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>' +
        '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>',
    );
    const point = (text: string, level: number) =>
      paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
    const body = point('three', 0) + point('inner', 1) + point('four', 0) + paragraph('after');
    expect(await read(body, lists)).toBe('3. three\n   - inner\n4. four\n\nafter');
  });

  it('writes tables with merged and nested cells', async () => {
    const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
    const inner = `<w:tbl><w:tr>${cell(paragraph('x'))}${cell(paragraph('y'))}</w:tr></w:tbl>`;
    const body = `<w:tbl><w:tr>${cell(paragraph('wide'), '<w:gridSpan w:val="2"/>')}</w:tr>
      <w:tr>${cell(paragraph('a|b') + paragraph('c'))}${cell(inner)}</w:tr>
      <w:tr>${cell('<w:p/>', '<w:vMerge/>')}${cell(paragraph('last'))}</w:tr></w:tbl>`;
    expect(await read(body)).toBe('| wide |  |\n| --- | --- |\n| a\\|b<br>c | x; y |\n|  | last |');
  });

  it('finds its parts by relationship, as Word Online names them', async () => {
    const parts = {
      ...styles('<w:style w:styleId="H"><w:name w:val="heading 1"/></w:style>'),
      'word/footnotes.xml':
        '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>',
    };
    const rename = { 'document.xml': 'document2.xml', 'styles.xml': 'styles2.xml', 'footnotes.xml': 'footnotes3.xml' };
    const bytes = buildDocx(paragraph('Title', '<w:pStyle w:val="H"/>'), parts, rename);
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(await detectType(bytes)).toBe(type);
    expect((await runConverter(convertDocx, bytes)).text).toBe('# Title\n\n[^2]: A note.');
  });

  it('leaves out rows and cells of tables that were deleted with changes tracked', async () => {
    const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('a')}${cell('b')}${cell('gone', '<w:cellDel w:id="1"/>')}</w:tr>
      <w:tr><w:trPr><w:del w:id="2" w:author="x"/></w:trPr>${cell('old')}${cell('row')}</w:tr>
      <w:tr><w:trPr><w:ins w:id="3"/></w:trPr>${cell('c')}${cell('d')}</w:tr></w:tbl>`;
    expect(await read(body)).toBe('| a | b |\n| --- | --- |\n| c | d |');
  });

  it('keeps what was inserted, linked and noted, and drops what was deleted or hidden', async () => {
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const body = `<w:p>${run('Now ')}<w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>
      ${run(' hidden', '<w:vanish/>')}<w:hyperlink r:id="rId1">${run('link')}</w:hyperlink>
      <w:hyperlink r:id="rId2">${run(' bad')}</w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
    const links = relationsOf([
      ['hyperlink', 'https://example.com', 'External'],
      ['hyperlink', 'javascript:alert(1)', 'External'],
    ]);
    const notes =
      '<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>';
    const parts = { 'word/_rels/document.xml.rels': links, 'word/footnotes.xml': notes };
    expect(await read(body, parts)).toBe('Now new[link](https://example.com) bad[^2]\n\n[^2]: A note.');
  });

  it('reads text boxes once, and right-to-left text as it was written', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const drawn = `<mc:AlternateContent><mc:Choice>${box('in a box')}</mc:Choice><mc:Fallback>${box('in a box')}</mc:Fallback></mc:AlternateContent>`;
    const body = `<w:p><w:r><w:t>מזרח</w:t></w:r><w:r>${drawn}</w:r></w:p>`;
    expect(await read(body)).toBe('מזרח\n\nin a box');
  });

  it('stops where it is told to, and says so', async () => {
    const bytes = buildDocx(paragraph('one') + paragraph('two'));
    expect(await runConverter(convertDocx, bytes, { isLate: () => true })).toEqual({
      text: 'one',
      left: ['the rest of the document, for lack of time'],
    });
  });
});

describe('convertPptx', () => {
  it('writes title, points, tables and notes of each slide in order', async () => {
    const cells = (...texts: string[]) =>
      `<a:tr>${texts.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${cells('Region', 'Q1')}${cells('Süd', '12')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const bytes = buildPptx([
      { shapes: shape('Plan', 'title') + shape('one\ntwo', 'body') + shape('7', 'sldNum'), notes: 'Say thanks.' },
      { shapes: `<p:grpSp>${shape('in a group')}</p:grpSp>${table}`, hidden: true },
    ]);
    expect(await runConverter(convertPptx, bytes)).toEqual({
      text: '## Slide 1: Plan\n\n- one\n- two\n\nNotes: Say thanks.\n\n## Slide 2 (hidden)\n\nin a group\n\n| Region | Q1 |\n| --- | --- |\n| Süd | 12 |',
      size: '2 slides',
      left: [],
    });
  });

  it('finds its parts by relationship and decodes escapes', async () => {
    const rename = { 'presentation.xml': 'deck.xml', 'slides/slide1.xml': 'slides/first.xml' };
    const bytes = buildPptx([{ shapes: shape('one_x000B_two') }], rename);
    expect((await runConverter(convertPptx, bytes)).text).toBe('## Slide 1\n\none\ntwo');
  });

  it('says which slides were left out', async () => {
    const bytes = buildPptx([{ shapes: shape('a') }, { shapes: shape('b') }]);
    let looks = 0;
    const { left } = await runConverter(convertPptx, bytes, { isLate: () => ++looks > 1 });
    expect(left).toEqual(['slides 2 to 2 were left out']);
  });
});
