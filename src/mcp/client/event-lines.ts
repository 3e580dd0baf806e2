import type { Json } from '../../schema/json.ts';
import { MAX_LINE_BYTES } from './line-filter.ts';
import { findAnswerId, type MessageRepairer, type RequestId } from './repair-message.ts';

const DATA = Buffer.from('data:');
const EVENT_ID = Buffer.from('id:');

/** The events of one stream, line by line, with repaired answers. */
export interface EventLines {
  /** Returns the lines to forward for a received line; `data` lines wait for the end of their event. */
  push(line: Buffer): Buffer[];
  /** Returns the lines of an event without an end. */
  flush(): Buffer[];
  /** False once the answer was received, or if it may come on another stream. */
  readonly isDue: boolean;
}

export function createEventLines(repairer: MessageRepairer, requestId: RequestId | undefined): EventLines {
  let data: Buffer[] = [];
  let size = 0;
  let isDue = requestId !== undefined;

  const finish = (): Buffer[] => {
    const lines = data;
    const isWhole = size <= MAX_LINE_BYTES;
    data = [];
    size = 0;
    if (!isWhole || lines.length === 0) return [];
    const message = parseData(lines);
    if (message === undefined) return lines;
    const repaired = repairer.repair(message, requestId);
    if (requestId !== undefined && findAnswerId(repaired) === requestId) isDue = false;
    return repaired === message ? lines : [Buffer.from(`data: ${JSON.stringify(repaired)}`)];
  };
  return {
    push(line) {
      if (startsWith(line, DATA)) {
        size += line.length;
        if (size <= MAX_LINE_BYTES) data.push(line);
        return [];
      }
      // The SDK resumes a stream whose events have ids, and waits for the answer there.
      if (startsWith(line, EVENT_ID)) isDue = false;
      return isBlank(line) ? [...finish(), line] : [line];
    },
    flush: () => [...finish(), Buffer.from('')],
    get isDue() {
      return isDue;
    },
  };
}

function startsWith(line: Buffer, prefix: Buffer): boolean {
  return line.subarray(0, prefix.length).equals(prefix);
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === 13);
}

function parseData(lines: readonly Buffer[]): Json | undefined {
  try {
    return JSON.parse(lines.map((line) => line.subarray(DATA.length).toString('utf8')).join('\n'));
  } catch {
    return undefined;
  }
}
