import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';

/** The request of one exchange, from a Node server or in the web's shape. */
export interface HttpSource {
  readonly method: string;
  /** A path with its query, or a URL. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** How often a header was sent; the name is in lower case. */
  countHeader(name: string): number;
  /** The connection is encrypted up to this process. */
  readonly isSecure: boolean;
  /** False for an empty body too; then no content type is required. */
  readonly hasBody: boolean;
  readonly body: Readable;
  /** The whole body has arrived. */
  readonly isComplete: boolean;
  /** Discards a body that is not wanted, so that its sender still reads the response. */
  refuseBody(): void;
  /** The object that the host passed. */
  readonly incoming: IncomingMessage | Request;
}

/** The response of one exchange. */
export interface HttpSink {
  /** The client is gone, or has the whole response. */
  readonly isClosed: boolean;
  readonly isEnded: boolean;
  /** The whole response was handed over to the host. */
  readonly isFinished: boolean;
  /** Undefined before the head is sent. */
  readonly sentStatus: number | undefined;
  /** The client reads more slowly than we write. */
  readonly isBehind: boolean;
  writeHead(status: number, headers: OutgoingHttpHeaders): void;
  /** Sends the head alone if there is no data yet. */
  flushHead(): void;
  write(data: string | Uint8Array): void;
  end(data?: string | Uint8Array): void;
  /** Cuts the response. */
  destroy(): void;
  /** Sends 100 Continue, if the client waits for it. */
  askForBody(): void;
  /** Calls back once, when the client is gone or the response is complete. */
  onClose(callback: () => void): void;
  /** Undefined unless the client is behind; then a promise that resolves when it has caught up or is gone. */
  untilRead(stallMs: number): Promise<void> | undefined;
  /** Disconnects a client that reads nothing of its pending data in this time; 0 = never. */
  dropWhenStalled(stallMs: number): void;
}

/** The body of a request that other code has read before us. Its author sees the cause in the log. */
export function alreadyRead(): Readable {
  const cause = new Error(
    'The body was read before HoloDeck got the request. Mount the handler before the code that reads it.',
  );
  const error = new AppError('internal', { detail: 'Something went wrong on our side. Please try again.', cause });
  return new Readable({
    read() {
      this.destroy(error);
    },
  });
}

/** More than the largest form that is accepted. */
const MAX_REFUSED_BYTES = 128 * 1024 * 1024;

/**
 * Discards what still arrives of a refused body, up to a limit. A host closes the connection of a stream that is
 * cancelled, and then its sender never reads the response.
 */
export function discardRest(body: Readable, close: () => void): void {
  let received = 0;
  body.on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > MAX_REFUSED_BYTES) close();
  });
}
