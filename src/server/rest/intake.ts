import type { Readable } from 'node:stream';
import { type AttachedFile, createSpool, type Spool } from '../../runtime/files/attached-file.ts';
import { invalidAt } from '../http/parse.ts';
import { brokenForm, formFileType, MAX_TOTAL_BYTES, tooLarge } from './attachments.ts';

/** Writes the files of a form to disk as they arrive, so that no file is ever completely in memory. */
export interface Intake {
  /** Rejects as soon as the file is not acceptable. */
  take(stream: Readable, file: { filename: string; mimeType: string }): Promise<void>;
  /** All files in the order of the form, once the last byte is written. */
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
      if (total > MAX_TOTAL_BYTES)
        throw tooLarge('The files are larger than 100 MB in total. Send fewer or smaller files.');
      await spool.write(chunk);
    }
    const file = spool.toFile(filename, type);
    if (file.size === 0) throw invalidAt({ path: ['files', index, 'content'], message: 'must not be empty' });
    return file;
  }

  return {
    async take(stream, file) {
      streams.push(stream);
      // A part may emit its error before its first byte is read; an error without a listener would end the process.
      stream.on('error', (cause) => stream.destroy(brokenForm(cause)));
      const spooled = spoolFile(stream, taken.length, file);
      taken.push(spooled);
      await spooled;
    },
    files: () => Promise.all(taken),
    async discard() {
      // Destroy streams whose client is gone; awaiting them would never finish.
      for (const stream of streams) stream.destroy();
      await Promise.allSettled(taken);
      await Promise.allSettled(spools.map((spool) => spool.discard()));
    },
  };
}
