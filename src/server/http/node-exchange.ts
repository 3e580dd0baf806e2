import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { alreadyRead, discardRest, type HttpSink, type HttpSource } from './exchange.ts';

/** Frameworks keep the whole address and a parsed body on the request. */
type HostedMessage = IncomingMessage & { originalUrl?: string; body?: unknown };

export function toNodeSource(raw: HostedMessage): HttpSource {
  return {
    method: raw.method ?? 'GET',
    target: raw.originalUrl ?? raw.url ?? '/',
    headers: raw.headers,
    countHeader: (name) =>
      raw.rawHeaders.filter(
        (sent, index) => index % 2 === 0 && sent.length === name.length && sent.toLowerCase() === name,
      ).length,
    isSecure: raw.socket instanceof TLSSocket,
    hasBody: raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0,
    body: raw.readableEnded ? toReadBody(raw) : raw,
    get isComplete() {
      return raw.complete;
    },
    refuseBody: () => lingerAfter(raw),
    incoming: raw,
  };
}

/** A body that a framework has read already, such as that of `express.json()`. The files of a form are lost. */
function toReadBody({ body, headers }: HostedMessage): Readable {
  const isForm = headers['content-type']?.startsWith('multipart/');
  if (body === undefined || isForm) return alreadyRead().on('error', () => {});
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return Readable.from([Buffer.from(isText ? body : JSON.stringify(body))]);
}

export class NodeSink implements HttpSink {
  readonly #raw: ServerResponse;
  readonly #asksForBody: boolean;

  constructor(raw: ServerResponse, asksForBody = false) {
    this.#raw = raw;
    this.#asksForBody = asksForBody;
  }

  get isClosed(): boolean {
    return this.#raw.destroyed;
  }

  get isEnded(): boolean {
    return this.#raw.writableEnded;
  }

  get isFinished(): boolean {
    return this.#raw.writableFinished;
  }

  get sentStatus(): number | undefined {
    return this.#raw.headersSent ? this.#raw.statusCode : undefined;
  }

  get isBehind(): boolean {
    return this.#raw.writableNeedDrain;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.#raw.writeHead(status, headers);
  }

  flushHead(): void {
    this.#raw.flushHeaders();
  }

  write(data: string | Uint8Array): void {
    this.#raw.write(data);
  }

  end(data?: string | Uint8Array): void {
    this.#raw.end(data);
  }

  destroy(): void {
    this.#raw.destroy();
  }

  askForBody(): void {
    if (this.#asksForBody) this.#raw.writeContinue();
  }

  onClose(callback: () => void): void {
    this.#raw.once('close', callback);
  }

  untilRead(stallMs: number): Promise<void> | undefined {
    const raw = this.#raw;
    if (!raw.writableNeedDrain || raw.destroyed) return undefined;
    return new Promise((resolve) => {
      const finish = () => {
        this.dropWhenStalled(0);
        raw.removeListener('drain', finish);
        raw.removeListener('close', finish);
        resolve();
      };
      this.dropWhenStalled(stallMs);
      raw.once('drain', finish);
      raw.once('close', finish);
    });
  }

  /** Node closes a socket that reads nothing in this time; the next request sets its own timeout. Test doubles have none. */
  dropWhenStalled(stallMs: number): void {
    this.#raw.socket?.setTimeout?.(stallMs);
  }
}

const MAX_MS = 10_000;

const lingering = new WeakSet<Socket>();

/**
 * Closes the connection of a refused body as nginx does: after the response it sends FIN and discards what still
 * arrives. Node would close the socket at once; the reset that follows makes clients lose the response while they are
 * sending.
 */
function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  lingering.add(socket);
  discardRest(request, () => socket.destroy());
  // Node calls this when the response is sent.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), MAX_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.end(() => {
      if (request.complete) socket.destroy();
      else request.once('end', () => socket.destroy());
    });
  };
}

/** The response to the refused body is the last one of its connection, so a request that follows must not run. */
export function isLingering({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}
