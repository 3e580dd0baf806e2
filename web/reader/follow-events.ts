import type { BaseEvent } from '@ag-ui/client';
import { Observable, type Subscriber } from 'rxjs';
import { isProblem } from '../api/api.ts';

/** `behind`: the connection is lost and is tried again. `gone`: several tries have failed. */
export type Line = 'connecting' | 'live' | 'behind' | 'gone';

export interface FollowOptions {
  open(lastId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** The stream is open, for the first time or again after a break. */
  onOpen(isFirst: boolean): void;
  onLine(line: Line, retryInMs: number): void;
  /** The server will not give this stream, now or later; the stream of events ends. */
  onRefused(problem: unknown): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  visibility: Visibility;
}

/**
 * Browsers open six connections to a server, for all tabs together. A tab that nobody looks at gives its stream up, or
 * a few of them would block every other request.
 */
export interface Visibility {
  /** Calls back once the page has been hidden for long; returns a function that cancels this. */
  onLongHidden(pause: () => void): () => void;
  whenVisible(signal: AbortSignal): Promise<void>;
}

export const FIRST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 8_000;
const GONE_AFTER = 4;
/** The server sends a comment at least every 15 seconds; silence for longer means a dead connection. */
const SILENCE_MS = 45_000;

/** Events of one conversation as one stream. It reconnects inside itself, each time after the last frame that it has. */
export function followEvents(options: FollowOptions): Observable<BaseEvent> {
  return new Observable((subscriber) => {
    const stop = new AbortController();
    follow(options, subscriber, stop.signal).catch((error: unknown) => subscriber.error(error));
    return () => stop.abort();
  });
}

async function follow(options: FollowOptions, subscriber: Subscriber<BaseEvent>, signal: AbortSignal): Promise<void> {
  const state = { lastId: undefined as string | undefined, failures: 0, wasOpen: false };
  const take = ({ id, data }: SseFrame) => {
    if (id) state.lastId = id;
    // `rawEvent` is AG-UI's own field for the source of an event; the id of the frame travels in it.
    subscriber.next({ ...JSON.parse(data), rawEvent: { id } });
  };
  while (!signal.aborted) {
    await options.visibility.whenVisible(signal);
    const pause = new AbortController();
    const cancelPause = options.visibility.onLongHidden(() => pause.abort());
    try {
      const either = AbortSignal.any([signal, pause.signal]);
      const response = await options.open(state.lastId, either);
      options.onLine('live', 0);
      options.onOpen(!state.wasOpen);
      state.wasOpen = true;
      state.failures = 0;
      await readFrames(response, take, either);
    } catch (error) {
      if (signal.aborted) return;
      if (isProblem(error, 400, 401, 403, 404, 410, 422)) {
        options.onRefused(error);
        return subscriber.complete();
      }
    } finally {
      cancelPause();
    }
    if (signal.aborted) return;
    if (pause.signal.aborted) continue;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** state.failures);
    state.failures++;
    options.onLine(state.failures >= GONE_AFTER ? 'gone' : 'behind', waitMs);
    await options.wait(waitMs, signal);
  }
}

/** Resolves when the server ends the stream; throws when the connection breaks or stays silent for too long. */
export async function readFrames(
  response: Response,
  take: (frame: SseFrame) => void,
  signal: AbortSignal,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  const read = createFrameReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const silence = setTimeout(cancel, SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      for (const frame of read(value)) take(frame);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** A frame of a text/event-stream. */
export interface SseFrame {
  id?: string;
  event?: string;
  data: string;
}

/** Splits a stream of text into frames. Comments keep the connection alive and carry no frame. */
export function createFrameReader(): (text: string) => SseFrame[] {
  let rest = '';
  return (text) => {
    const blocks = `${rest}${text}`.replace(/\r\n/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => readBlock(block) ?? []);
  };
}

function readBlock(block: string): SseFrame | undefined {
  const data: string[] = [];
  const frame: SseFrame = { data: '' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id') frame.id = value;
    else if (field === 'event') frame.event = value;
  }
  return data.length === 0 ? undefined : { ...frame, data: data.join('\n') };
}
