import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attachFile } from './attach.ts';
import type { Chat } from './chat.ts';

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
