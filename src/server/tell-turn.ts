import { AppError, toAppError } from '../errors.ts';
import { appendDelta } from '../runtime/journal.ts';
import type { EventStream } from '../runtime/viewer.ts';
import { type Event, isDelta, isPassing } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { Encoding } from './encode.ts';
import { CUT_PART, formatPart } from './event-id.ts';
import type { EventOutput } from './event-output.ts';
import type { Frame, Translator } from './translator.ts';

export interface TellOptions {
  events: EventStream;
  translator: Translator;
  encoding: Encoding;
  output: EventOutput;
  /** The id of what the reader has, and how many frames of the next event it has beside. */
  lastId: string;
  part?: number;
  /** After this event nothing comes until a question is answered: the response ends. */
  pausesAt?: ((event: Event) => boolean) | undefined;
  /** The messages before this turn, for the rare frame that shows them. */
  readHistory(): Promise<Message[]>;
}

/**
 * Tells a turn to its end on an open response. Every turn ends with exactly one terminal frame, also when its journal
 * or the reading of it fails. Resolves to the id of the last event told; never throws.
 */
export async function tellTurn(options: TellOptions): Promise<string> {
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
      writer.tell(event);
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
      'The turn was interrupted; what it did is kept. Sent again under its Idempotency-Key (AG-UI: its runId) it goes on; without one a message begins a new turn.',
  });
}

/** Frames that belong to no event of their own. */
export function sendFrames(
  { output, encoding, lastId }: Pick<TellOptions, 'output' | 'encoding' | 'lastId'>,
  frames: readonly Frame[],
): void {
  for (const frame of frames) {
    output.write(encoding.encode(frame.isCut ? formatPart(lastId, CUT_PART) : lastId, frame));
  }
}

/** What was not committed before this is lost. */
function isCutOff(event: Event): boolean {
  return event.type === 'turn-interrupt' || event.type === 'turn-resume';
}

/** Deltas are joined up to this length: one frame never holds all of a long answer. */
const JOINED_CHARS = 64_000;

/** Joins deltas that arrive within one turn of the event loop, and gives every frame its id. */
function createFrameWriter({ translator, encoding, output, lastId: firstId, part = 0 }: TellOptions) {
  let lastId = firstId;
  let skip = part;
  let deltas: Event[] = [];
  let joinedChars = 0;

  const send = (frames: readonly Frame[]) => sendFrames({ output, encoding, lastId }, frames);
  const translate = (event: Event) => {
    const frames = translator.frames(event);
    // A reader in the middle of an event that was never committed has nothing of the one that comes instead.
    const told = isCutOff(event) ? 0 : skip;
    skip = 0;
    for (const [index, frame] of frames.entries()) {
      if (index < told) continue;
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
    tell(event: Event) {
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
