import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { folderWith, ITEMS } from '../space-fixture.ts';
import { loadSpace } from './load-space.ts';

const SPACE = `name: test
title: Test
description: A test
tables:
  items: { file: items.csv }
`;

async function problemsOf(text: string): Promise<string[]> {
  const folder = folderWith({ 'space.yaml': text, 'items.csv': ITEMS });
  const error: unknown = await loadSpace('space.yaml', { cwd: folder }).catch((reason: unknown) => reason);
  return error instanceof AppError ? error.message.split('\n') : [];
}

describe('loadSpace', () => {
  it('reads a space with its defaults and the real paths of its tables', async () => {
    const folder = folderWith({ 'space.yaml': SPACE, 'items.csv': ITEMS });
    const { file, tables } = await loadSpace('space.yaml', { cwd: folder });
    expect(file.limits).toEqual({ rows: 50, timeout_seconds: 45 });
    expect(tables).toEqual([{ name: 'items', path: join(folder, 'items.csv'), indexes: [] }]);
  });

  it.each([
    [SPACE.replace('title:', 'titel:'), 'space.yaml:2:1 titel: unknown key, did you mean title?'],
    [
      SPACE.replace('items.csv', 'nothing.csv'),
      "space.yaml:5:18 tables.items.file: there is no such file in the agent's folder; create it or correct its path",
    ],
    [
      SPACE.replace('items.csv', '../../etc/passwd'),
      "space.yaml:5:18 tables.items.file: leads out of the agent's folder; move the file into it",
    ],
    [
      SPACE.replace('{ file: items.csv }', '{ file: items.csv, verbs: [buy] }'),
      'space.yaml:5:29 tables.items.verbs: unknown key; known here: file, indexes, key, label, say, synonyms, good, time, snapshot, joins',
    ],
  ])('tells a fault with its place (%#)', async (text, problem) => {
    expect(await problemsOf(text)).toContain(problem);
  });

  it("reads tables from the agent's folder above", async () => {
    const folder = folderWith({ 'items.csv': ITEMS });
    mkdirSync(join(folder, 'spaces'));
    writeFileSync(join(folder, 'spaces', 'a.yaml'), SPACE.replace('items.csv', '../items.csv'));
    const { tables } = await loadSpace(join(folder, 'spaces', 'a.yaml'), { root: folder });
    expect(tables[0]?.path).toBe(join(folder, 'items.csv'));
  });

  it('reports a missing file', async () => {
    await expect(loadSpace('nowhere.yaml')).rejects.toMatchObject({ code: 'config_not_found' });
  });
});
