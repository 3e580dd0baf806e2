import { describe, expect, it } from 'vitest';
import { findSpot } from './locate.ts';
import { parseYaml } from './parse-yaml.ts';

/** The largest allowed file, with the largest allowed number of tokens. */
const SIZES = [256 * 1024, 24_000];

describe('parseYaml', () => {
  it('gives plain data and the place of each key and value', () => {
    const { value, spot, lines, problems } = parseYaml('a:\n  - b: &x 1\n  - *x\n', 'f');
    const place = (path: (string | number)[], onKey: boolean) => lines.linePos(findSpot(spot, path, onKey).offset);
    expect({ value, problems }).toEqual({ value: { a: [{ b: 1 }, 1] }, problems: [] });
    expect(place(['a', 0, 'b'], true)).toEqual({ line: 2, col: 5 });
    expect(place(['a', 0, 'b'], false)).toEqual({ line: 2, col: 11 });
    expect(place(['a', 1], false)).toEqual({ line: 3, col: 5 });
    expect(place(['a', 0, 'missing'], false)).toEqual({ line: 2, col: 5 });
  });

  it('keeps words as words: yes, dates, numbers with letters', () => {
    expect(parseYaml('a: yes\nb: 2026-01-01\nc: 1h\nd: 0x10\n1: x\n', 'f').value).toEqual({
      a: 'yes',
      b: '2026-01-01',
      c: '1h',
      d: 16,
      1: 'x',
    });
  });

  it.each([
    '[',
    '{a: ',
    '- ',
    '? ',
    '---\n',
    '}',
    '"',
    '%x\n',
    '&a ',
    '! ',
    ': ',
    '[,',
    '"\\\n',
    '\n',
    '#\n',
    'a: *a\n',
    'é',
  ])('is done soon with a file full of %j', (piece) => {
    const started = performance.now();
    const counts = SIZES.map((size) => parseYaml(piece.repeat(size / piece.length), 'f').problems.length);
    expect(counts).not.toContain(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each([
    [`a: 1\nmodel: { name: x, endpoint: \${URL} }\nb: 2\nc: 3\n`, 'f:2:29'],
    [`model: {\n  name: x,\n  endpoint: https://x/\${ID}/y,\n}\nb: 2\n`, 'f:3:23'],
    [`list: [a, \${B}]\nc: 3\n`, 'f:1:11'],
  ])('names the unquoted variable in %j, and no error that follows from it', (text, place) => {
    const { problems } = parseYaml(text, 'f');
    expect(problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)).toEqual([
      `${place} quote '\${VAR}' inside { } and [ ]`,
    ]);
  });

  it('leaves a variable alone that is quoted or stands outside brackets', () => {
    const { value } = parseYaml(`a: \${A}\nmodel: { endpoint: '\${URL}' }\n`, 'f');
    expect(value).toEqual({ a: `\${A}`, model: { endpoint: `\${URL}` } });
  });

  it('stays fast with very many keys', () => {
    const text = Array.from({ length: 4_000 }, (_, index) => `key${index}: 1\n`).join('');
    expect(Object.keys(parseYaml(text, 'f').value)).toHaveLength(4_000);
  });
});
