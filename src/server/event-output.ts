import type { ServerResponse } from 'node:http';
import type { HttpReply } from './http/reply.ts';

export interface OutputOptions {
  contentType: string;
  /** Sent when nothing else was for a while, so that nobody on the way takes the stream for dead. */
  keepalive?: string;
  keepaliveMs: number;
  /** A client that takes nothing for this long is dropped. */
  stallMs: number;
}

/** An open response. What is written within one turn of the event loop leaves in one piece. */
export interface EventOutput {
  write(data: string | Uint8Array): void;
  /** Calls back once, before the next piece leaves. */
  beforeFlush(callback: () => void): void;
  /** Resolves at once unless the client reads slower than we tell; then when it has caught up, or is gone. */
  ready(): Promise<void> | undefined;
  end(): void;
  readonly isClosed: boolean;
  /** Calls back once when the client is gone or the stream has ended; what it returns takes that back. */
  onClose(callback: () => void): () => void;
}

export function openOutput(reply: HttpReply, options: OutputOptions): EventOutput {
  const response = reply.raw;
  response.writeHead(200, {
    ...reply.hijack(),
    'content-type': options.contentType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  let waiting = '';
  let isClosed = response.destroyed;
  let callbacks: (() => void)[] = [];
  let isScheduled = false;
  const flush = () => {
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback();
    isScheduled = false;
    const text = waiting;
    waiting = '';
    if (isClosed || response.writableEnded) return;
    if (text === '') response.flushHeaders();
    else response.write(text);
  };
  // By then everything that came with the same round of reading has been told.
  const schedule = () => {
    if (!isScheduled) setImmediate(flush);
    isScheduled = true;
  };
  // Headers leave with the first data, or alone when there is none yet.
  schedule();
  const { keepalive } = options;
  const beat = () => void (response.writableNeedDrain || response.write(keepalive));
  // A client may have left before its stream was opened.
  const timer = keepalive && !isClosed ? setInterval(beat, options.keepaliveMs) : undefined;
  const watchers = new Set<() => void>();
  response.once('close', () => {
    isClosed = true;
    clearInterval(timer);
    for (const callback of watchers) callback();
  });
  return {
    write(data) {
      if (typeof data !== 'string') {
        response.write(data);
        return;
      }
      waiting += data;
      schedule();
    },
    beforeFlush(callback) {
      callbacks.push(callback);
      schedule();
    },
    ready: () => (response.writableNeedDrain && !isClosed ? untilDrained(response, options.stallMs) : undefined),
    end() {
      clearInterval(timer);
      const text = waiting;
      waiting = '';
      // The client may still have much to take; it is watched until it has.
      dropWhenStalled(response, options.stallMs);
      response.end(text);
    },
    get isClosed() {
      return isClosed;
    },
    onClose(callback) {
      if (isClosed) callback();
      else watchers.add(callback);
      return () => watchers.delete(callback);
    },
  };
}

/** Node closes a socket that has taken nothing of what waits for it during this time; 0 = never. */
function dropWhenStalled(response: ServerResponse, stallMs: number): void {
  response.socket?.setTimeout(stallMs);
}

function untilDrained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      dropWhenStalled(response, 0);
      response.removeListener('drain', finish);
      response.removeListener('close', finish);
      resolve();
    };
    dropWhenStalled(response, stallMs);
    response.once('drain', finish);
    response.once('close', finish);
  });
}
