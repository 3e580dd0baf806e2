import type { Clock } from '../../clock.ts';
import { createBudget } from './budget.ts';

/** A longer line is not kept in memory; an error answer to its call replaces it. */
export const MAX_LINE_BYTES = 8_000_000;
const EDGE_BYTES = 512;
const NEWLINE = 10;

export interface LineFilterOptions {
  clock: Clock;
  /** The prefix of lines that carry a message; other lines pass unchecked. */
  prefix?: string;
  maxLineBytes?: number;
}

export interface LineFilter {
  /** Returns the complete lines that may be processed, without their newline. */
  push(chunk: Uint8Array): Buffer[];
  /** Returns the rest after the last newline. */
  flush(): Buffer[];
  /** Number of messages dropped because there were too many. */
  readonly dropped: number;
}

/**
 * Splits a server's output into lines without ever holding a huge one, and limits a flood before anything is parsed:
 * answers to our calls have a large budget, unsolicited messages a small one.
 */
export function createLineFilter(options: LineFilterOptions): LineFilter {
  const { clock, prefix = '', maxLineBytes = MAX_LINE_BYTES } = options;
  const answers = createBudget({ burst: 20_000, perSecond: 20_000, clock });
  const unasked = createBudget({ burst: 200, perSecond: 50, clock });
  let parts: Buffer[] = [];
  let size = 0;
  let edges: { head: Buffer; tail: Buffer } | undefined;
  let dropped = 0;

  const add = (part: Buffer) => {
    size += part.length;
    if (edges) edges.tail = lastBytes([edges.tail, part]);
    else parts.push(part);
    if (!edges && size > maxLineBytes) {
      edges = { head: Buffer.concat(parts).subarray(0, EDGE_BYTES), tail: lastBytes(parts) };
      parts = [];
    }
  };
  const finish = (): Buffer[] => {
    const line = edges ? refusal(edges, { prefix, maxLineBytes }) : joined(parts);
    parts = [];
    size = 0;
    edges = undefined;
    if (!line) return [];
    const admitted = !line.subarray(0, prefix.length).equals(Buffer.from(prefix)) || isAdmitted(line);
    if (!admitted) dropped++;
    return admitted ? [line] : [];
  };
  const isAdmitted = (line: Buffer) => line.length === 0 || (isAnswer(line) ? answers : unasked).take();

  return {
    push(chunk) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = buffer.indexOf(NEWLINE); end !== -1; end = buffer.indexOf(NEWLINE, start)) {
        add(buffer.subarray(start, end));
        lines.push(...finish());
        start = end + 1;
      }
      if (start < buffer.length) add(buffer.subarray(start));
      return lines;
    },
    flush: () => (size > 0 ? finish() : []),
    get dropped() {
      return dropped;
    },
  };
}

/** Checks without parsing: every answer has one of these keys, and hardly any other message does. */
function isAnswer(line: Buffer): boolean {
  return line.includes('"result"') || line.includes('"error"');
}

function joined(parts: Buffer[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

function lastBytes(parts: Buffer[]): Buffer {
  return Buffer.from(Buffer.concat(parts.slice(-2)).subarray(-EDGE_BYTES));
}

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.){1,64}"|\\d{1,15})';
const ID_AT_END = new RegExp(`${ID}\\s*}\\s*$`);
const ID_AT_START = new RegExp(`^[^"]*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}`);

/** An error answer in place of an answer that is too large, if its call can be identified. */
function refusal(
  edges: { head: Buffer; tail: Buffer },
  options: { prefix: string; maxLineBytes: number },
): Buffer | undefined {
  const id = ID_AT_END.exec(edges.tail.toString('latin1'))?.[1] ?? ID_AT_START.exec(edges.head.toString('latin1'))?.[1];
  if (!id) return undefined;
  const megabytes = Math.round(options.maxLineBytes / 1_000_000);
  const error = { code: -32_000, message: `The answer was larger than ${megabytes} MB and was refused.` };
  return Buffer.from(`${options.prefix}{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`);
}
