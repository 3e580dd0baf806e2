import { describe, expect, it } from 'vitest';
import { findLines, planPage } from './cut-page.ts';
import type { Grey } from './grey.ts';

const WIDTH = 400;
const FULL: Span = [20, 380];

type Span = [from: number, to: number];

interface Drawn {
  top: number;
  rows: number;
  /** Columns with ink. */
  ink?: Span[];
}

function draw(lines: readonly Drawn[], height: number): Grey {
  const data = new Uint8Array(WIDTH * height).fill(240);
  for (const { top, rows, ink = [FULL] } of lines) {
    for (let row = top; row < top + rows; row++)
      for (const [from, to] of ink) data.fill(20, row * WIDTH + from, row * WIDTH + to);
  }
  return { width: WIDTH, height, data };
}

/** Paragraphs of lines, 40 rows from one to the next. */
function drawText(paragraphs: readonly number[], line: Omit<Drawn, 'top'>): Grey {
  const lines: Drawn[] = [];
  let top = 40;
  for (const count of paragraphs) {
    for (let index = 0; index < count; index++, top += 40) lines.push({ top, ...line });
    top += 40;
  }
  return draw(lines, top);
}

describe('findLines', () => {
  it('finds the rows of each line, how long it is, and its widest gap', () => {
    const lines: Drawn[] = [
      { top: 10, rows: 20 },
      { top: 50, rows: 12, ink: [[100, 150], [190, 200]] }, // biome-ignore format: one line reads better
    ];
    expect(findLines(draw(lines, 80))).toEqual([
      { from: 10, to: 30, extent: 360, gap: 0 },
      { from: 50, to: 62, extent: 100, gap: 40 },
    ]);
  });

  it('takes a few dark pixels in a row as dirt', () => {
    expect(
      findLines(
        draw(
          [
            { top: 10, rows: 20, ink: [[7, 8]] },
            { top: 50, rows: 10 },
          ],
          80,
        ),
      ),
    ).toEqual([{ from: 50, to: 60, extent: 360, gap: 0 }]);
  });

  it('finds none on dark paper, and none on an empty page', () => {
    expect([findLines(draw([{ top: 5, rows: 70 }], 80)), findLines(draw([], 80))]).toEqual([[], []]);
  });
});

describe('planPage', () => {
  const line = { rows: 20 };
  const whole = (page: Grey) => ({
    bands: [{ from: 0, to: page.height, separator: '' }],
    scale: { across: 1, down: 1 },
  });

  it('cuts between paragraphs near the middle', () => {
    const page = drawText([5, 3, 4], line);
    expect(planPage(page, 2).bands).toEqual([
      { from: 0, to: 250, separator: '\n\n' },
      { from: 250, to: page.height, separator: '' },
    ]);
  });

  it('cuts inside a paragraph when there is no better place', () => {
    expect(planPage(drawText([12], line), 3).bands.map((band) => band.separator)).toEqual(['\n', '\n', '']);
  });

  it('leaves a page of columns whole', () => {
    const page = drawText([12], { rows: 20, ink: [[20, 180], [220, 380]] }); // biome-ignore format: one line reads better
    expect(planPage(page, 2)).toEqual(whole(page));
  });

  it('leaves a page of a few lines whole', () => {
    const page = drawText([5], line);
    expect(planPage(page, 2)).toEqual(whole(page));
  });

  it('makes high lines smaller and letters narrower, but not small ones, and not what may be no lines', () => {
    const ink: Span[] = [[20, 150]];
    const scaleOf = (rowsOf: (index: number) => number) => {
      const lines = Array.from({ length: 12 }, (_, index) => ({ top: 40 + index * 80, rows: rowsOf(index), ink }));
      return planPage(draw(lines, 1_000), 1).scale;
    };
    expect([
      scaleOf(() => 40),
      scaleOf((index) => (index < 3 ? 20 : 40)),
      scaleOf(() => 20),
      scaleOf((index) => (index < 3 ? 70 : 40)),
    ]).toEqual([
      { across: 0.5625, down: 0.75 },
      { across: 0.75, down: 1 },
      { across: 1, down: 1 },
      { across: 1, down: 1 },
    ]);
  });
});
