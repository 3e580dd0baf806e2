import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/runtime.ts';
import { completePath, readTypedPath } from './typed-path.ts';

function folderWith(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

describe('readTypedPath', () => {
  it.each([
    ['/tmp/my invoice.pdf', '/tmp/my invoice.pdf'],
    ["'/tmp/my  invoice.pdf'", '/tmp/my  invoice.pdf'],
    ['"/tmp/my \\"invoice\\".pdf"', '/tmp/my "invoice".pdf'],
    ['/tmp/my\\ invoice\\ \\(1\\).pdf', '/tmp/my invoice (1).pdf'],
    ["'/tmp/it'\\''s.pdf'", "/tmp/it's.pdf"],
    ['~/notes.txt', join(homedir(), 'notes.txt')],
    ['~', homedir()],
    ['/tmp/~/a', '/tmp/~/a'],
  ])('reads %s', (typed, expected) => {
    expect(readTypedPath(typed)).toBe(expected);
  });

  it('takes a file that is really called so', () => {
    const folder = folderWith("it's 'mine'.txt");
    expect(readTypedPath(join(folder, "it's 'mine'.txt"))).toBe(join(folder, "it's 'mine'.txt"));
  });
});

describe('completePath', () => {
  const complete = (typed: string) => {
    const { start, candidates } = completePath(`/attach ${typed}`, typed);
    return candidates.map((name) => `/attach ${typed}`.slice(0, start) + name);
  };

  it.each([
    ['plain', 'my', 'my bill.pdf'],
    ['escaped', 'my\\ b', 'my\\ bill.pdf'],
  ])('goes on as it was begun: %s', (_, begun, expected) => {
    const folder = folderWith('my bill.pdf', 'other.txt');
    expect(complete(`${folder}/${begun}`)).toEqual([`/attach ${folder}/${expected}`]);
  });

  it('goes on inside quotes, and into folders', () => {
    const folder = folderWith('a.txt');
    mkdirSync(join(folder, 'my bills'));
    expect(complete(`'${folder}/my b`)).toEqual([`/attach '${folder}/my bills/`]);
  });

  it('looks into the home folder', () => {
    expect(complete('~')).toEqual(['/attach ~/']);
    expect(complete('~/').length).toBe(complete(`${homedir()}/`).length);
    expect(complete('~/').every((text) => text.startsWith('/attach ~/'))).toBe(true);
  });
});
