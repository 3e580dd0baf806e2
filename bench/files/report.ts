import type { Memory, ServedAgent } from './server.ts';

const LOOK_MS = 25;

/** Prints a row. A row that misses its limit makes the whole run fail. */
export function row(name: string, value: number, { below, unit = 'ms', beside = '' }: Limit): void {
  const isKept = value < below;
  if (!isKept) process.exitCode = 1;
  const measured = `${Math.round(value).toLocaleString('en-US')} ${unit}${beside}`;
  const limit = `< ${below.toLocaleString('en-US')} ${unit}`;
  console.log(`${name.padEnd(52)} ${measured.padStart(20)}   ${limit.padEnd(12)} ${isKept ? 'kept' : 'BROKEN'}`);
}

interface Limit {
  below: number;
  unit?: string;
  /** Another measurement, shown but not judged. */
  beside?: string;
}

/** Watches memory and health until `end` is called. */
export function watchServer(server: ServedAgent): { end(): { peak: Memory; healthMs: number } } {
  const times: number[] = [];
  const peak = { shared: 0, resident: 0 };
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const { shared, resident } = server.memory();
      peak.shared = Math.max(peak.shared, shared);
      peak.resident = Math.max(peak.resident, resident);
      times.push(await server.health());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  void look();
  return {
    end() {
      isOver = true;
      times.sort((a, b) => a - b);
      return { peak, healthMs: times[Math.floor(times.length * 0.99)] ?? 0 };
    },
  };
}
