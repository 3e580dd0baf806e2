import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isMainThread, Worker } from 'node:worker_threads';
import { convert } from './convert.ts';
import { type Frame, type Job, LATE_SIGNAL } from './job.ts';
import { runConversion } from './run-conversion.ts';
import { Unreadable } from './unreadable.ts';

/**
 * The process that reads one file and ends: the file comes on standard input, what is found goes out on descriptor 3,
 * one JSON value a line. It may write nowhere, read only what is installed with us, and reach no network. Its threads,
 * which recognise text, begin here too.
 */
const OUTPUT = 3;
const LOOK_MS = 20;
/** Reserved for the code of the thread that looks. */
const CODE_MB = 8;

Socket.prototype.connect = () => {
  throw new Error('a file is read without a network');
};
if (isMainThread) {
  const job: Job = JSON.parse(process.argv[2] ?? '{}');
  watch(job);
  await run(job);
} else {
  const { serveRequests } = await import('./ocr-thread.ts');
  await serveRequests();
}

async function run(job: Job): Promise<void> {
  try {
    const bytes = await buffer(process.stdin);
    const end = await runConversion((context) => convert(bytes, job.mimeType, context), job, {
      onText: (text) => tell({ text }),
      onProgress: (progress) => tell({ progress }),
    });
    tell({ end });
  } catch (error) {
    tell(error instanceof Unreadable ? { refused: error.message } : { failed: String(error) });
  }
  // Nothing is left to do, whatever timers a parser has forgotten.
  process.exit(0);
}

function tell(frame: Frame): void {
  const line = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(OUTPUT, line, at);
}

/**
 * A thread of its own checks the memory and the used time (see `startUsedTime`), so that it also sees growth inside one
 * long call: limits of worker threads bind neither buffers nor WebAssembly, which is where the bombs are. It also ends
 * a process that nobody waits for any more.
 */
function watch({ memoryBytes, jobMs, lifeMs }: Job): void {
  const look = `
    const usedMs = () => {
      const { user, system } = process.cpuUsage();
      return Math.min(process.uptime() * 1000, (user + system) / 1000);
    };
    setInterval(() => {
      if (process.memoryUsage.rss() > ${memoryBytes}) process.kill(process.pid, 'SIGTERM');
      if (usedMs() > ${jobMs}) process.kill(process.pid, '${LATE_SIGNAL}');
    }, ${LOOK_MS});
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${lifeMs});`;
  new Worker(look, { eval: true, resourceLimits: { codeRangeSizeMb: CODE_MB } }).unref();
}
