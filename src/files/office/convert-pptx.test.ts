import { describe, expect, it } from 'vitest';
import { buildPptx, shape } from '../../../test/files/build-office.ts';
import { runConverter } from '../../../test/files/read-fixture.ts';
import { convertPptx } from './convert-pptx.ts';

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
