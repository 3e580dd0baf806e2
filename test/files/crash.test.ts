import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileFromBytes } from '../../src/runtime/files/attached-file.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { ALICE } from '../build.ts';
import { collect, openRuntime, temporaryFolder } from '../runtime.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'killed-files.ts');
const LOST = 'was lost when the process stopped before it was read; attach it again';

function runAndKill(stopAfter: number): { folder: string; conversationId: string } {
  const folder = temporaryFolder();
  const { stdout } = spawnSync(process.execPath, [FIXTURE, folder, String(stopAfter)], { encoding: 'utf8' });
  return { folder, conversationId: stdout.trim() };
}

function verdictsOf(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === 'file' ? [`${event.file.filename} ${event.file.verdict}`] : []));
}

/** Killed after the start, after the first verdict, and after the second. */
describe.each([1, 2, 3])('a process that is killed after event %i of a turn with files', (stopAfter) => {
  it('reads the rest when the request comes again, and no file twice', async () => {
    const { folder } = runAndKill(stopAfter);
    const { runtime, model } = await openRuntime({ folder, replies: ['Read.'] });
    const files = ['one', 'two'].map((word) => fileFromBytes(`${word}.txt`, 'text/plain', Buffer.from(`text ${word}`)));
    const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'Read', idempotencyKey: 'once', files });
    expect(verdictsOf(await collect(turn))).toEqual(['one.txt read', 'two.txt read']);
    expect(model.requests[0]?.messages[0]?.content).toMatch(/text one\n(.*\n)*text two\n/);
  });

  it('keeps the read files and reports the lost ones when it continues without the files', async () => {
    const { folder, conversationId } = runAndKill(stopAfter);
    const { runtime, model } = await openRuntime({ folder, replies: ['Read.'] });
    const events = await collect(await runtime.continueInterrupted(ALICE, { conversationId }));
    const verdicts = verdictsOf(events);
    const isRead = (name: string) => verdicts.includes(`${name} read`);
    // Emitted verdicts are kept. The process may have read another file before it was killed.
    const told = ['one.txt', 'two.txt'].slice(0, stopAfter - 1);
    expect(told.filter((name) => !isRead(name))).toEqual([]);
    expect(verdicts).toHaveLength(2);
    const content = model.requests[0]?.messages[0]?.content ?? '';
    const inText = ['text one', 'text two'].map((text) => content.includes(text));
    expect(inText).toEqual(['one.txt', 'two.txt'].map(isRead));
    expect(content.includes(LOST)).toBe(inText.includes(false));
  });
});
