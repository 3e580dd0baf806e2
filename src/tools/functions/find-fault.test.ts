import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findSyntaxFault, runNode } from './find-fault.ts';

function find(name: string, code: string, signal?: AbortSignal) {
  const folder = mkdtempSync(join(tmpdir(), 'syntax-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), code);
  return findSyntaxFault(join(folder, name), signal);
}

describe('findSyntaxFault', () => {
  it.each([
    ['a.ts', 'export default (a: string): string => a; process.exit(7);'],
    ['a.cts', 'const a: number = 1; module.exports = a; process.exit(7);'],
    ['a.mjs', 'export default () => 1; process.exit(7);'],
    ['a.js', "export default () => 1; throw new Error('it ran');"],
  ])('finds nothing in a good %s, and runs none of it', async (name, code) => {
    expect(await find(name, code)).toBeUndefined();
  });

  it.each([
    ['a.mjs', 'const a = 1;\nexport default () => a +* 2;\n', 2, 25, "Unexpected token '*'"],
    ['b.mjs', 'const a = 1;\n\tconst a = 2;\n', 2, 8, "Identifier 'a' has already been declared"],
    ['a.ts', 'type A = 1;\nexport default (a: A) => { return { a, ; }', 2, 40, 'Unexpected token `;`'],
    ['b.ts', 'const a: number = 1;\nconst a = 2;\nexport {};', 2, 7, "Identifier 'a' has already been declared"],
    ['c.ts', 'enum A { b }', 1, 1, 'types are only removed, so write it in JavaScript'],
  ])('finds the place of a fault in %s', async (name, code, line, column, words) => {
    expect(await find(name, code)).toEqual({ line, column, message: expect.stringContaining(words) });
  });

  it('names the line where a file ends too early', async () => {
    const message = 'Unexpected end of input';
    expect(await find('a.js', 'export default () => 1;\nfunction a() {\n')).toEqual({ line: 3, message });
    expect(await find('a.ts', 'export default (')).toEqual({ line: 1, message: 'Expression expected' });
  });

  it.each(['gone.mjs', 'gone.ts'])('names no place in %s, which cannot be read', async (name) => {
    expect(await findSyntaxFault(join(import.meta.dirname, name))).toEqual({ message: 'it cannot be read' });
  });

  it('returns nothing when it is stopped', async () => {
    expect(await find('a.mjs', 'export default (', AbortSignal.abort())).toBeUndefined();
  });
});

it('returns the output of a program that succeeds', async () => {
  const program = `process.stdin.pipe(process.stdout); console.error('aside')`;
  const ran = await runNode(['-e', program], { signal: undefined, input: 'given' });
  expect(ran).toEqual({ isGood: true, output: 'given', errors: 'aside\n' });
});

it('is not good when the program fails or cannot start', async () => {
  expect(await runNode(['-e', 'process.exit(1)'], { signal: undefined })).toMatchObject({ isGood: false });
  expect(await runNode(['-e', ''], { signal: AbortSignal.abort() })).toMatchObject({ isGood: false });
});
