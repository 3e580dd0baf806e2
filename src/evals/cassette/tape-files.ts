import type { Redactor } from '../../redaction/redactor.ts';
import type { RuntimeTap } from '../../runtime/tap.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { hashOf } from './cassette.ts';
import { toPlain } from './tape-request.ts';

type FileReader = Parameters<RuntimeTap['reader']>[0];
type ReadableFile = Parameters<FileReader['read']>[0];
type FileReading = Awaited<ReturnType<FileReader['read']>>;

/** Reads files and keeps the texts. */
export function recordReader(
  reader: FileReader,
  redactor: Redactor,
  keep: (request: JsonObject, reply: Json) => void,
): FileReader {
  return {
    ...reader,
    async read(file, { signal }) {
      // Progress depends on the speed of the machine.
      const reading = await reader.read(file, { signal });
      const shown = redactor.json(toPlain(reading));
      keep(await fileRequest(file), shown);
      return { ...reading, ...shown };
    },
  };
}

/** Gives the recorded text of a file with the same content. */
export function replayReader(reader: FileReader, take: (request: JsonObject) => Json): FileReader {
  return {
    ...reader,
    async read(file) {
      const request = await fileRequest(file);
      try {
        return take(request) as unknown as FileReading; // the recorder wrote a reading
      } catch {
        return { verdict: 'refused', detail: 'is not in the recording', text: '' };
      }
    },
  };
}

async function fileRequest({ filename, mime_type, open }: ReadableFile): Promise<JsonObject> {
  const pieces: Buffer[] = [];
  for await (const piece of open()) pieces.push(Buffer.from(piece));
  return { file: filename, mime_type, content: hashOf(Buffer.concat(pieces)) };
}
