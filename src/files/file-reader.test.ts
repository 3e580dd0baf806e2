import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { buildPdf } from '../../test/files/build-pdf.ts';
import { asFile } from '../../test/files/read-fixture.ts';
import { createFileReader } from './file-reader.ts';

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
