import type { Readable } from 'node:stream';
import { type AttachedFile, createSpool, type Spool } from '../runtime/attached-file.ts';
import { brokenForm, formFileType, MAX_TOTAL_BYTES, tooLarge } from './attachments.ts';
import { invalidAt } from './parse.ts';

/** Takes the files of a form to the disk as they arrive, so that none of them is ever whole in memory. */
export interface Intake {
  /** Rejects as soon as the file may not be sent. */
  take(stream: Readable, file: { filename: string; mimeType: string }): Promise<void>;
  /** All of them, in the order of the form, when the last byte is written. */
  files(): Promise<AttachedFile[]>;
  discard(): Promise<void>;
}

export function createIntake(): Intake {
  const taken: Promise<AttachedFile>[] = [];
  const spools: Spool[] = [];
  const streams: Readable[] = [];
  let total = 0;

  async function spoolFile(
    stream: Readable,
    index: number,
    { filename, mimeType }: { filename: string; mimeType: string },
  ) {
    const type = formFileType(index, mimeType, filename);
    const spool = await createSpool();
    spools.push(spool);
    for await (const chunk of stream) {
      total += chunk.length;
      if (total > MAX_TOTAL_BYTES) throw tooLarge('All files together may have 100 MB.');
      await spool.write(chunk);
    }
    const file = spool.toFile(filename, type);
    if (file.size === 0) throw invalidAt({ path: ['files', index, 'content'], message: 'must not be empty' });
    return file;
  }

  return {
    async take(stream, file) {
      streams.push(stream);
      // A part that breaks off may say so before its first byte is read; said to nobody it would end the process.
      stream.on('error', (cause) => stream.destroy(brokenForm(cause)));
      const spooled = spoolFile(stream, taken.length, file);
      taken.push(spooled);
      await spooled;
    },
    files: () => Promise.all(taken),
    async discard() {
      // One whose rest will never come would be waited for without end.
      for (const stream of streams) stream.destroy();
      await Promise.allSettled(taken);
      await Promise.allSettled(spools.map((spool) => spool.discard()));
    },
  };
}
