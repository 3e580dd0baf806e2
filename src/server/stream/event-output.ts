import type { HttpSink } from '../http/exchange.ts';
import type { HttpReply } from '../http/reply.ts';

export interface OutputOptions {
  contentType: string;
  /** Sent after a period of silence, so that no proxy considers the stream dead. */
  keepalive?: string;
  keepaliveMs: number;
  /** A client that reads nothing for this long is disconnected. */
  stallMs: number;
}

/** Node detects a stalled socket after this time at the earliest and after twice this time at the latest. */
export const STALL_MS = 15_000;
/** Maximum size of one write to a slow reader; the next write waits until this one is read. */
const FLUSH_CHARS = 64_000;

/** An open response. Everything written within one iteration of the event loop is sent as one chunk. */
export class EventOutput {
  readonly #sink: HttpSink;
  readonly #stallMs: number;
  readonly #beat: NodeJS.Timeout | undefined;
  #waiting = '';
  #isClosed: boolean;
  #isScheduled = false;
  #callbacks: (() => void)[] = [];
  #watchers: (() => void)[] = [];

  constructor(reply: HttpReply, { contentType, keepalive, keepaliveMs, stallMs }: OutputOptions) {
    const { sink } = reply;
    sink.writeHead(200, {
      ...reply.hijack(),
      'content-type': contentType,
      'cache-control': 'no-store, no-transform', // Compression of an app or a proxy would hold events back.
      'x-accel-buffering': 'no',
    });
    this.#sink = sink;
    this.#stallMs = stallMs;
    this.#isClosed = sink.isClosed;
    // Headers are sent with the first data, or alone if there is none yet.
    this.#schedule();
    const beat = () => void (sink.isBehind || sink.write(keepalive ?? ''));
    // A client may have left before its stream was opened.
    this.#beat = keepalive && !this.#isClosed ? setInterval(beat, keepaliveMs) : undefined;
    sink.onClose(() => this.#close());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(data: string | Uint8Array): void {
    if (typeof data !== 'string') {
      this.#sink.write(data);
      return;
    }
    this.#waiting += data;
    this.#schedule();
  }

  /** Calls back once, before the next chunk is sent. */
  beforeFlush(callback: () => void): void {
    this.#callbacks.push(callback);
    this.#schedule();
  }

  /**
   * Returns undefined unless the client reads too slowly; then a promise that resolves when it has caught up or is
   * gone.
   */
  ready(): Promise<void> | undefined {
    // Existing events all arrive within one iteration of the event loop, however many there are.
    if (this.#waiting.length > FLUSH_CHARS) this.#flush();
    return this.#sink.untilRead(this.#stallMs);
  }

  end(): void {
    clearInterval(this.#beat);
    const text = this.#waiting;
    this.#waiting = '';
    // The client may still have much to read; it is watched until it is done.
    this.#sink.dropWhenStalled(this.#stallMs);
    this.#sink.end(text);
  }

  /** Calls back once when the client is gone or the stream has ended; the returned function unsubscribes. */
  onClose(callback: () => void): () => void {
    if (this.#isClosed) callback();
    else this.#watchers.push(callback);
    return () => {
      this.#watchers = this.#watchers.filter((watcher) => watcher !== callback);
    };
  }

  /** Runs after all events of the current I/O round have been written. */
  #schedule(): void {
    if (!this.#isScheduled) setImmediate(() => this.#flush());
    this.#isScheduled = true;
  }

  #flush(): void {
    const due = this.#callbacks;
    this.#callbacks = [];
    for (const callback of due) callback();
    this.#isScheduled = false;
    const text = this.#waiting;
    this.#waiting = '';
    if (this.#isClosed || this.#sink.isEnded) return;
    if (text === '') this.#sink.flushHead();
    else this.#sink.write(text);
  }

  #close(): void {
    this.#isClosed = true;
    clearInterval(this.#beat);
    // A callback may remove another one.
    while (this.#watchers.length > 0) this.#watchers.shift()?.();
  }
}
