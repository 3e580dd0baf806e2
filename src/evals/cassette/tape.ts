import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Post } from '../../models/http-post.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import type { RuntimeTap } from '../../runtime/tap.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { hashOf } from './cassette.ts';
import type { Lanes } from './lanes.ts';
import { toPlain } from './tape-request.ts';

/** Everything of a case that comes from outside the loop, recorded or repeated. */
export interface Tape {
  clock: Clock;
  ids: Ids;
  tap: RuntimeTap;
  /** The connection to models that grade. */
  judge(post: Post): Post;
  /** Takes the stored events of a finished turn: to keep them, or to compare them. */
  takeEvents(events: readonly Event[]): void;
  /** Ends the case. Returns the first difference to the recording, for people. */
  finish(): string | undefined;
}

/**
 * A clock that stands still between the exchanges with models and tools of a lane. A recorded and a repeated turn then read
 * the same times, however often they look and however fast the machine is. Timers stay real.
 */
export function createTapeClock(clock: Clock, start: Date, { current }: Lanes) {
  return {
    ...clock,
    /** Milliseconds since the start. */
    now: () => current().elapsedMs,
    date: () => new Date(start.getTime() + current().elapsedMs),
    moveTo(elapsedMs: number): void {
      current().elapsedMs = Math.max(current().elapsedMs, elapsedMs);
    },
  };
}

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
