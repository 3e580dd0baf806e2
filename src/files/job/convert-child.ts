import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isMainThread, Worker } from 'node:worker_threads';
import { Unreadable } from '../reading.ts';
import { runConversion } from './conversion.ts';
import { convert } from './convert.ts';
import { type Job, type JobMessage, LATE_SIGNAL } from './job.ts';

/**
 * The process that reads one file and exits. The file arrives on standard input; results go to descriptor 3, one JSON
 * value per line. It may not write files, may read only the installed package, and has no network. Its OCR threads also
 * start here.
 */
const OUTPUT = 3;
const LOOK_MS = 20;
/** Memory reserved for the code of the watching thread. */
const CODE_MB = 8;

Socket.prototype.connect = () => {
  throw new Error('files are read without network access');
};
if (isMainThread) {
  const job: Job = JSON.parse(process.argv[2] ?? '{}');
  watch(job);
  await run(job);
} else {
  const { serveRequests } = await import('../picture/ocr-engine.ts');
  await serveRequests();
}

async function run(job: Job): Promise<void> {
  try {
    const bytes = await buffer(process.stdin);
    const end = await runConversion((context) => convert(bytes, job.mimeType, context), job, {
      onText: (text) => send({ text }),
      onProgress: (progress) => send({ progress }),
    });
    send({ end });
  } catch (error) {
    send(error instanceof Unreadable ? { refused: error.message } : { failed: String(error) });
  }
  // Exits even if a parser has left timers behind.
  process.exit(0);
}

function send(frame: JobMessage): void {
  const line = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(OUTPUT, line, at);
}

/**
 * A separate thread checks memory and used time (see `startUsedTime`), so that it also notices growth within one long
 * call. Limits of worker threads cover neither buffers nor WebAssembly, which decompression bombs use. It also ends a
 * process that nothing waits for any more.
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
