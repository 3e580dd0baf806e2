import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords } from './blocks.ts';
import { cutText } from './cut-text.ts';
import { sentenceEnds } from './split-block.ts';

const sentence = (words: number) =>
  `${Array.from({ length: words }, (_, at) => `word${at}`).join(' ')}.`.replace('w', 'W');
const paragraph = (words: number) => Array.from({ length: Math.ceil(words / 10) }, () => sentence(10)).join(' ');

describe('cutText', () => {
  it('keeps the headings above each passage', () => {
    const text = `# Handbook\n\nIntro.\n\n## Leave\n\n${paragraph(200)}\n\n### Sick\n\n${paragraph(200)}\n\n## Travel\n\n${paragraph(200)}`;
    const { title, cuts } = cutText(text);
    expect(title).toBe('Handbook');
    expect(cuts.map(({ breadcrumb }) => breadcrumb)).toEqual([['Leave'], ['Leave', 'Sick'], ['Travel']]);
    expect(text.slice(cuts.at(-1)?.start)).toMatch(/^## Travel/);
  });

  it('joins short sections and keeps all of their headings', () => {
    const { cuts } = cutText('# FAQ\n\n## Parking\n\nIn the yard.\n\n## Bikes\n\nIn the cellar.');
    expect(cuts).toMatchObject([{ breadcrumb: [], headings: ['Parking', 'Bikes'] }]);
  });

  it('reads a heading as people do', () => {
    const heading = '# **Leave** of [`HR`](https://example.com) [![build](a.svg)](b) {#leave}';
    expect(cutText(`${heading}\n\nText.`).title).toBe('Leave of HR');
  });

  it('keeps tables and code whole', () => {
    const rows = Array.from({ length: 90 }, (_, at) => `| item ${at} | price |`).join('\n');
    const code = `\`\`\`ts\n${'const a = 1;\n\n# no heading\n'.repeat(60)}\`\`\``;
    const text = `# Prices\n\n${paragraph(100)}\n\n${rows}\n\n${code}\n`;
    const parts = cutText(text).cuts.map(({ start, end }) => text.slice(start, end));
    expect(parts.filter((part) => part.includes(rows))).toHaveLength(1);
    expect(parts.filter((part) => part.includes(code))).toHaveLength(1);
  });

  it('names the columns of a table that goes over several passages', () => {
    const text = `| name | wage |\n| --- | --- |\n${'| a b c d e f | 1 |\n'.repeat(300)}`;
    const [first, second] = cutText(text).cuts;
    expect(first?.breadcrumb).toEqual([]);
    expect(second?.breadcrumb).toEqual(['name, wage']);
  });

  it('knows the page, and skips settings at the beginning', () => {
    const { cuts } = cutText(`[Page 1]\n${paragraph(300)}\n\n[Page 2]\n${paragraph(300)}`);
    expect(cuts.map(({ page }) => page)).toEqual([1, 2]);
    const text = '---\nid: a\ntitle: "Time off"\n---\n\nText.';
    expect(cutText(`${text}\n\n## Holidays\n\nMore.`).title).toBe('Time off');
    expect(cutText(text).cuts.map(({ start, end }) => text.slice(start, end))).toEqual(['Text.']);
  });

  it('loses no word, repeats none, and never cuts inside a sentence', () => {
    const block = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((level) => `${'#'.repeat(level)} Heading`),
      fc.integer({ min: 1, max: 900 }).map(paragraph),
      fc.integer({ min: 1, max: 30 }).map((rows) => '| a | b |\n'.repeat(rows)),
      fc.constant('```\ncode here\n```'),
      fc.constant('See e.g. the rules of Dr. Miller. They are in Fig. 3 and cost 3.50 each.'),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        const text = blocks.join('\n\n');
        const { cuts } = cutText(text);
        let at = 0;
        for (const { start, end } of cuts) {
          expect(text.slice(at, start).trim()).toBe('');
          expect(start).toBeLessThan(end);
          at = end;
        }
        expect(text.slice(at).trim()).toBe('');
        const isWhole = (part: string) => /[.|`]$|Heading$/.test(part);
        expect(cuts.map(({ start, end }) => text.slice(start, end)).filter((part) => !isWhole(part))).toEqual([]);
        const plain = cuts.filter(({ start, end }) => !text.slice(start, end).includes('|'));
        expect(plain.filter(({ start, end }) => countWords(text.slice(start, end)) > 350)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('takes time in proportion to a text without any structure', () => {
    const text = 'x'.repeat(400_000);
    const { cuts } = cutText(text);
    expect(Math.max(...cuts.map(({ start, end }) => end - start))).toBeLessThanOrEqual(8_000);
    expect(cuts.at(-1)?.end).toBe(text.length);
  });
});

it('sentenceEnds skips abbreviations', () => {
  const text = 'Ask Dr. Miller, e.g. Monday. Then wait! "Why?" Because.';
  const ends = sentenceEnds(text, { start: 0, end: text.length });
  expect(ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end).trim())).toEqual([
    'Ask Dr. Miller, e.g. Monday.',
    'Then wait!',
    '"Why?"',
    'Because.',
  ]);
});
