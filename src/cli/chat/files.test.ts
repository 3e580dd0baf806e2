import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/runtime.ts';
import type { Chat } from './chat.ts';
import { attachFile, completePath, readTypedPath } from './files.ts';

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

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-attach-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'note.txt'), 'hello');
  // The cast is safe: attaching needs only these parts of a chat.
  return { folder, chat: { attachments: [] } as unknown as Chat };
}

describe('attachFile', () => {
  it('keeps a file for the next message, and removes all', () => {
    const { folder, chat } = openFolder();
    expect(attachFile(chat, join(folder, 'note.txt'))).toBe('With the next message: note.txt');
    expect(attachFile(chat, 'clear')).toBe('No file is attached now.');
    expect(chat.attachments).toEqual([]);
  });

  it.each([
    ['empty.txt', 'is empty'],
    ['none.txt', 'there is no such file'],
    ['.', 'is a folder'],
  ])('refuses %s at once', (name, reason) => {
    const { folder, chat } = openFolder();
    expect(() => attachFile(chat, join(folder, name))).toThrow(reason);
    expect(chat.attachments).toEqual([]);
  });
});
