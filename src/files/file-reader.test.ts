import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildPdf } from '../../test/files/build-pdf.ts';
import { fullPage } from '../../test/files/build-png.ts';
import { asFile } from '../../test/files/read-fixture.ts';
import { createFakeClock } from '../clock.ts';
import { createFileReader } from './file-reader.ts';
import type { ReadableFile } from './job/run-job.ts';

const text = (content: string) => asFile('a.txt', 'text/plain', Buffer.from(content));
const never = () => new AbortController().signal;

describe('createFileReader', () => {
  it('reads more files than it has places, one after the other', async () => {
    const reader = createFileReader({ slots: 1 });
    const readings = await Promise.all(
      ['one', 'two', 'three'].map((word) => reader.read(text(word), { signal: never() })),
    );
    expect(readings.map((reading) => reading.text)).toEqual(['one', 'two', 'three']);
  });

  it('starts no process for small texts, and one for anything else', async () => {
    let processes = 0;
    const onSpawn = () => void processes++;
    subscribe('child_process', onSpawn);
    onTestFinished(() => void unsubscribe('child_process', onSpawn));
    const reader = createFileReader();
    const countOf = async (...files: ReadableFile[]) => {
      processes = 0;
      const readings = await Promise.all(files.map((file) => reader.read(file, { signal: never() })));
      return [processes, readings.map(({ verdict }) => verdict)];
    };
    const words = Array.from({ length: 10 }, (_, index) => text(`text ${index}`));
    const csv = asFile('a.csv', 'text/csv', Buffer.from('a,b\n1,2\n'));
    const large = text('x'.repeat(1_048_577));
    const archive = asFile('a.txt', 'text/plain', Buffer.from('PK\x03\x04 no text'));
    expect(await countOf(...words, csv)).toEqual([0, Array(11).fill('read')]);
    expect(await countOf(large)).toEqual([1, ['read']]);
    expect(await countOf(archive)).toEqual([1, ['refused']]);
  });

  it('names what is wrong with a CSV, and gives its text all the same', async () => {
    const read = (content: string) =>
      createFileReader().read(asFile('a.csv', 'text/csv', Buffer.from(content)), { signal: never() });
    const content = 'a;b\n1;2\n3\n4;5;6';
    expect(await read(content)).toEqual({
      verdict: 'partly',
      detail:
        '4 lines, 15 characters; line 3: the row has 1 field, the first row has 2; line 4: the row has 3 fields, the first row has 2',
      text: content,
    });
    expect((await read('sep=,\na,b\n1,"2')).detail).toContain('line 3: a quote is opened and never closed');
    expect((await read('a,b\n1,"2\n3"\n')).verdict).toBe('read');
    expect((await read('only a list\nof, lines\n')).verdict).toBe('read');
  });

  it('says how many characters of a text could not be decoded', async () => {
    const bytes = Buffer.concat([Buffer.from('grün Öl '), Buffer.from([0xc3])]);
    const reading = await createFileReader().read(asFile('a.txt', 'text/plain', bytes), { signal: never() });
    expect(reading).toEqual({
      verdict: 'partly',
      detail: '1 line, 9 characters; 1 character could not be decoded',
      text: 'grün Öl \ufffd',
    });
  });

  it('tells how far it is', async () => {
    const told: string[] = [];
    const file = asFile('a.pdf', 'application/pdf', buildPdf(['a', 'b']));
    await createFileReader().read(file, { signal: never(), onProgress: (words) => told.push(words) });
    expect(told).toEqual(['page 1 of 2', 'page 2 of 2']);
  });

  it('ends a job that takes too long and keeps what it had read', async () => {
    const pages = Array.from({ length: 3_000 }, (_, index) => `page ${index}`);
    const file = asFile('a.pdf', 'application/pdf', buildPdf(pages));
    const reader = createFileReader({ limits: { jobMs: 500 } });
    const { verdict, detail } = await reader.read(file, { signal: never() });
    expect({ verdict, detail }).toEqual({
      verdict: expect.stringMatching(/partly|refused/),
      detail: expect.stringContaining('took longer than 0.5 seconds to read'),
    });
  });

  it('does not hold against an A4 page that it waits for the processor', { timeout: 120_000 }, async () => {
    const { fixture } = await import('../../test/files/read-fixture.ts');
    const clock = createFakeClock();
    const page = asFile('page.png', 'image/png', fixture('letter-300dpi.png'));
    const reading = createFileReader({ clock }).read(page, { signal: never() });
    await clock.advance(29_000);
    expect((await reading).verdict).toBe('read');
  });

  it('reads a full A4 page at 300 dpi within its time', { timeout: 240_000 }, async () => {
    const { png, line, count } = await fullPage();
    // Waits for the processor are no part of the time: this clock stands still.
    const reader = createFileReader({ clock: createFakeClock() });
    const { verdict, detail, text } = await reader.read(asFile('page.png', 'image/png', png), { signal: never() });
    expect({ verdict, detail }).toEqual({ verdict: 'read', detail: expect.stringContaining('2480 × 3508 pixels') });
    expect(text.split('\n').filter((row) => row !== '')).toEqual(Array(count).fill(line));
  });

  it('ends a job that has waited for half a minute', async () => {
    const clock = createFakeClock();
    const endless = {
      ...asFile('a.pdf', 'application/pdf', Buffer.from('x')),
      open: () => new Readable({ read() {} }),
    };
    const reading = createFileReader({ clock }).read(endless, { signal: never() });
    await clock.advance(30_000);
    expect(await reading).toEqual({ verdict: 'refused', detail: 'took longer than 30 seconds to read', text: '' });
  });

  it('ends a job that takes more memory than it may', async () => {
    const reader = createFileReader({ limits: { memoryBytes: 10_000_000 } });
    const file = asFile('a.txt', 'text/plain', Buffer.alloc(30_000_000, 'x'));
    const { verdict, detail } = await reader.read(file, { signal: never() });
    expect({ verdict, detail }).toEqual({ verdict: 'refused', detail: 'needs more memory to read than is allowed' });
  });

  it('stops at once when the turn is stopped, also while it waits for a place', async () => {
    const reader = createFileReader({ slots: 1 });
    const stopper = new AbortController();
    const endless = { ...text('x'), open: () => new Readable({ read() {} }) };
    const readings = [reader.read(endless, stopper), reader.read(text('next'), stopper)];
    stopper.abort();
    const stopped = { verdict: 'refused', detail: 'was not read: the turn was stopped', text: '' };
    expect(await Promise.all(readings)).toEqual([stopped, stopped]);
  });

  it('says so when the file cannot be read from where it is kept', async () => {
    const broken = {
      ...text('x'),
      open: () =>
        new Readable({
          read() {
            this.destroy(new Error('gone'));
          },
        }),
    };
    expect(await createFileReader().read(broken, { signal: never() })).toEqual({
      verdict: 'refused',
      detail: 'could not be read from where it was kept',
      text: '',
    });
  });

  it('strips what nobody sees from the text', async () => {
    const { text: read } = await createFileReader().read(text('a\u001b[31mred\u200b\u202e!'), { signal: never() });
    expect(read).toBe('ared!');
  });

  it('says what data is missing for a language that is not installed', async () => {
    const { fixture } = await import('../../test/files/read-fixture.ts');
    const reader = createFileReader({ languages: ['xyz'] });
    const { detail } = await reader.read(asFile('n.jpg', 'image/jpeg', fixture('note.jpg')), { signal: never() });
    expect(detail).toBe('cannot be read: the data to recognise "xyz" is not installed');
  });
});
