import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/runtime.ts';
import { findFiles } from './find-files.ts';

function writeTree(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

describe('findFiles', () => {
  const TREE = {
    'pages/b.md': 'b',
    'pages/a/c.txt': 'c',
    'pages/x.bin': 'x',
    'pages/.hidden/d.md': 'd',
    'out.md': 'o',
  };
  const pathsOf = async (folder: string, sources: string[], maxFiles?: number) => {
    const { files, remarks } = await findFiles(folder, sources, { ...(maxFiles && { maxFiles }) });
    return { paths: files.map(({ path }) => path), remarks };
  };

  it('finds the files of folders, globs and names, each once', async () => {
    const folder = writeTree(TREE);
    expect(await pathsOf(folder, ['./pages'])).toEqual({
      paths: ['pages/a/c.txt', 'pages/b.md'],
      remarks: ['files of other types were left out: 1 .bin'],
    });
    expect((await pathsOf(folder, ['pages/**/*.md', 'out.md', 'pages/b.md'])).paths).toEqual(['out.md', 'pages/b.md']);
  });

  it('leaves the folder of the agent by no path and no link, and follows no cycle', async () => {
    const outside = writeTree({ 'secret.md': 's' });
    const folder = writeTree(TREE);
    symlinkSync(join(outside, 'secret.md'), join(folder, 'pages/link.md'));
    symlinkSync(outside, join(folder, 'pages/away'));
    symlinkSync(join(folder, 'pages'), join(folder, 'pages/again'));
    symlinkSync(join(folder, 'out.md'), join(folder, 'pages/in.md'));
    symlinkSync('nowhere', join(folder, 'pages/broken'));
    const { paths, remarks } = await pathsOf(folder, ['pages', '../', outside]);
    expect(paths).toEqual(['pages/a/c.txt', 'pages/b.md', 'pages/in.md']);
    expect(remarks.toSorted()).toEqual(
      [
        "../ is outside of the agent's folder and was left out",
        `${outside} is outside of the agent's folder and was left out`,
        "pages/away is a link that leaves the agent's folder",
        'pages/broken is a link that does not exist',
        "pages/link.md is a link that leaves the agent's folder",
        'files of other types were left out: 1 .bin',
      ].toSorted(),
    );
  });

  it('takes every place of a file that two sources hold', async () => {
    const folder = writeTree({ 'pages/hr/pay.md': 'x' });
    const { files } = await findFiles(folder, ['pages/hr', 'pages']);
    expect(files.map(({ places }) => places)).toEqual(['["hr/pay.md","pay.md"]']);
  });

  it('reads a bounded number of files, and says so', async () => {
    const folder = writeTree(TREE);
    const { paths, remarks } = await pathsOf(folder, ['pages', 'gone'], 1);
    expect(paths).toEqual(['pages/a/c.txt']);
    expect(remarks).toContain('1 files were left out: at most 1 are read');
    expect(remarks).toContain('gone does not exist');
  });

  it('treats a hard link as a file of its own', async () => {
    const folder = writeTree(TREE);
    linkSync(join(folder, 'pages/b.md'), join(folder, 'pages/same.md'));
    expect((await pathsOf(folder, ['pages'])).paths).toHaveLength(3);
  });
});
