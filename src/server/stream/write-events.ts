import { AppError, toAppError } from '../../errors.ts';
import type { EventStream } from '../../runtime/live/viewer.ts';
import { appendDelta } from '../../runtime/turn/journal.ts';
import { type Event, isDelta, isPassing } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { type Position, parsePosition } from '../../schema/position.ts';
import type { Encoding } from '../http/encode.ts';
import type { EventOutput } from './event-output.ts';
import type { StreamFrame, Translator } from './translator.ts';

export interface WriteEventsOptions {
  events: EventStream;
  translator: Translator;
  encoding: Encoding;
  output: EventOutput;
  /** The id of the reader's last event, and the number of frames that it has of the next one. */
  lastId: string;
  part?: number;
  /** After this event nothing follows until a question is answered, so the response ends. */
  pausesAt?: ((event: Event) => boolean) | undefined;
  /** The messages before this turn, for the rare frame that shows them. */
  readHistory(): Promise<Message[]>;
}

/**
 * Sends a turn to its end on an open response. Every turn ends with exactly one terminal frame, even if its journal
 * fails or cannot be read. Resolves to the id of the last event sent; never throws.
 */
export async function writeTurnEvents(options: WriteEventsOptions): Promise<string> {
  const { events, translator, output } = options;
  const writer = createFrameWriter(options);
  const leave = output.onClose(() => void events.return?.());
  try {
    for await (const event of events) {
      if (event.type === 'turn-resume') writer.flush();
      if (isCutOff(event) && writer.holdsPart()) {
        translator.setHistory(await options.readHistory());
        writer.send(translator.reset(turnInterrupted));
      }
      if (translator.needsHistory(event)) translator.setHistory(await options.readHistory());
      const preparing = translator.prepare?.(event);
      if (preparing) await preparing;
      writer.write(event);
      if (options.pausesAt?.(event)) break;
      if (event.type === 'turn-end' || event.type === 'turn-wait') continue;
      const blocked = output.ready();
      if (blocked) await blocked;
    }
    writer.flush();
    writer.send(translator.end(turnInterrupted));
  } catch (error) {
    writer.flush();
    writer.send(translator.end(() => toAppError(error)));
  } finally {
    leave();
  }
  return writer.lastId();
}

export function turnInterrupted(): AppError {
  return new AppError('turn_interrupted', {
    detail:
      'The turn was interrupted; its completed work is stored. To continue it, send the request again with its Idempotency-Key (AG-UI: its runId). A message without a key starts a new turn.',
  });
}

/** Sends frames that belong to no event of their own. */
export function sendFrames(
  { output, encoding, lastId }: Pick<WriteEventsOptions, 'output' | 'encoding' | 'lastId'>,
  frames: readonly StreamFrame[],
): void {
  for (const frame of frames) {
    output.write(encoding.encode(frame.isCut ? formatPart(lastId, CUT_PART) : lastId, frame));
  }
}

/** Uncommitted events before this one are lost. */
function isCutOff(event: Event): boolean {
  return event.type === 'turn-interrupt' || event.type === 'turn-resume';
}

/** Deltas are joined up to this length, so that no frame holds all of a long answer. */
const JOINED_CHARS = 64_000;

/** Joins deltas that arrive within one iteration of the event loop, and gives every frame its id. */
function createFrameWriter({ translator, encoding, output, lastId: firstId, part = 0 }: WriteEventsOptions) {
  let lastId = firstId;
  let skip = part;
  let deltas: Event[] = [];
  let joinedChars = 0;

  const send = (frames: readonly StreamFrame[]) => sendFrames({ output, encoding, lastId }, frames);
  const translate = (event: Event) => {
    const frames = translator.frames(event);
    // A reader within an event that was never committed has no frames of the event that replaces it.
    const received = isCutOff(event) ? 0 : skip;
    skip = 0;
    for (const [index, frame] of frames.entries()) {
      if (index < received) continue;
      const isLast = index === frames.length - 1;
      output.write(encoding.encode(isLast || isPassing(event) ? event.id : formatPart(lastId, index + 1), frame));
    }
    lastId = event.id;
  };
  const flush = () => {
    const joined = deltas;
    deltas = [];
    joinedChars = 0;
    for (const delta of joined) translate(delta);
  };
  return {
    flush,
    send,
    /** The reader has frames of an event that has not come yet. */
    holdsPart: () => skip > 0,
    lastId: () => lastId,
    write(event: Event) {
      if (!isDelta(event)) {
        flush();
        translate(event);
        return;
      }
      if (deltas.length === 0) output.beforeFlush(flush);
      deltas = appendDelta(deltas, event);
      joinedChars += event.text.length;
      if (joinedChars > JOINED_CHARS) flush();
    },
  };
}

/**
 * A reader's position: after an event, or within the next event, of which it has `part` frames. If an event is sent in
 * several frames, each frame but the last gets the id of the previous event plus a dot and the frame count.
 */
export interface ReaderPosition {
  position: Position;
  part: number;
}

/** Used instead of a count: the reader received the cut-off frame after this event. */
export const CUT_PART = 999;

function formatPart(lastId: string, part: number): string {
  return `${lastId}.${part}`;
}

/** Throws `invalid_request` for an id that this server did not create. */
export function parseReaderPosition(text: string): ReaderPosition {
  const match = /^(.+\..+\..+\..+)\.(\d{1,3})$/.exec(text);
  if (!match) return { position: parsePosition(text), part: 0 };
  return { position: parsePosition(String(match[1])), part: Number(match[2]) };
}
