import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileReader } from '../../src/files/file-reader.ts';
import { HOSTILE_FILES } from './hostile.ts';
import { asFile } from './read-fixture.ts';

describe('a hostile file', () => {
  const reader = createFileReader();
  const signal = new AbortController().signal;

  it.concurrent.each(HOSTILE_FILES)('gets its verdict: $name', { timeout: 120_000 }, async (file) => {
    const bytes = await file.build();
    const { verdict, detail } = await reader.read(asFile(file.name, file.mime_type, bytes), { signal });
    expect({ verdict, detail }).toEqual({ verdict: file.verdict, detail: expect.stringMatching(file.detail) });
  });

  it('takes nothing with it: the next file is read', async () => {
    const bomb = HOSTILE_FILES.find((file) => file.name === 'one-huge-paragraph.docx');
    const hostile = bomb && reader.read(asFile(bomb.name, bomb.mime_type, await bomb.build()), { signal });
    const after = await reader.read(asFile('after.txt', 'text/plain', Buffer.from('still here')), { signal });
    expect([(await hostile)?.verdict, after.text]).toEqual(['refused', 'still here']);
  });
});

describe('reading a file', () => {
  it('leaves nothing behind in the folder for temporary files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-test-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      await createFileReader().read(asFile('a.txt', 'text/plain', Buffer.from('text')), {
        signal: new AbortController().signal,
      });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true });
    }
  });
});
