import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { widthOf } from './display-width.ts';
import { createMarkdownStream } from './markdown-stream.ts';

const colors = pc.createColors(false);
const render = (pieces: string[], width = 40): string[] => {
  const stream = createMarkdownStream(colors);
  for (const piece of pieces) {
    stream.push(piece);
    stream.rows(width);
  }
  return stream.rows(width);
};

const EVERYTHING = `# Plan

Some **bold**, *soft* and \`code\` text that is long enough to be wrapped.
Second line.

- one
- two with **bold** words that go on
  - inner

1. first
2. second

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

| item | price |
|------|------:|
| tea  | 3 |
| coffee | 14 |

> quoted

[docs](https://example.org)
`;

describe('createMarkdownStream', () => {
  it('shows headings, lists, code, tables and links', () => {
    expect(render([EVERYTHING])).toEqual([
      'Plan',
      '',
      'Some bold, soft and code text that is',
      'long enough to be wrapped.',
      'Second line.',
      '',
      '• one',
      '• two with bold words that go on',
      '  ◦ inner',
      '',
      '1. first',
      '2. second',
      '',
      '  const a = 1;',
      '',
      '  const b = 2;',
      '',
      'item    price',
      '──────  ─────',
      'tea         3',
      'coffee     14',
      '',
      '│ quoted',
      '',
      'docs (https://example.org)',
    ]);
  });

  it('shows the same however the text was cut into pieces', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: EVERYTHING.length }), { maxLength: 30 });
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), EVERYTHING.length];
        const pieces = sorted.slice(1).map((end, index) => EVERYTHING.slice(sorted[index], end));
        expect(render(pieces)).toEqual(render([EVERYTHING]));
      }),
    );
  });

  it('never makes a row wider than asked for, and never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom('# ', '- ', '**', '`', '|', '\n', '\n\n', '---', '```', '> ', '[a](b)', '日本', '👩‍👧', '1. '),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 12, max: 60 }), (pieces, width) => {
        const wide = render(
          pieces.map((text) => text.replace(/[\p{C}\u2028\u2029]/gu, '')),
          width,
        ).filter((row) => widthOf(row) > width);
        expect(wide).toEqual([]);
      }),
    );
  });

  it('shows a long list as one, also while it grows', () => {
    const items = Array.from({ length: 200 }, (_, index) => `${index + 1}. item ${index} with some words`);
    const pieces = items.map((item) => `${item}\n`);
    expect(render(pieces)).toEqual(items);
    expect(render([pieces.join('')])).toEqual(items);
  });

  it('keeps the columns of a table that has scrolled out, whatever comes', () => {
    const stream = createMarkdownStream(colors);
    stream.push('| a | b |\n|---|---|\n| one | two words |\n| thr');
    const before = stream.rows(30);
    stream.fix(30);
    stream.push('ee and a cell that is long | and another one that is long |\n\nafter');
    expect(stream.rows(30).slice(0, 3)).toEqual(before.slice(0, 3));
    expect(stream.rows(30).slice(-2)).toEqual(['', 'after']);
  });

  it('never moves an item of a list by what comes after it', () => {
    expect(render(['- one\n- two\n', '\n- three\n- four'])).toEqual(['• one', '• two', '', '• three', '• four']);
  });

  it('goes on inside a code block after a restart', () => {
    const stream = createMarkdownStream(colors);
    stream.push('before\n\n```\nfirst\n');
    stream.rows(40);
    stream.restart();
    stream.push('second\n```\n\nafter');
    expect(stream.rows(20)).toEqual(['  second', '', 'after']);
  });
});
