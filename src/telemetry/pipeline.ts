import type { Agent } from '../schema/agent.ts';
import { type Operation, operationAttributes } from './attributes.ts';
import { metricLines, spanLine } from './lines.ts';
import { createMeters, type Meters } from './meters.ts';
import { attributesJson, createBodies, type Span } from './otlp.ts';
import { createSender } from './sender.ts';
import type { TelemetryOptions } from './telemetry.ts';

/** Where spans and measures of some agents go. */
export interface Pipeline {
  meters: Meters;
  /** What all spans of one operation of an agent say, as JSON. */
  sharedJson(operation: Operation, agent: Agent): string;
  /** Takes a span that has ended. */
  take(span: Span): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

export type PipelineOptions = TelemetryOptions & {
  /** Base address of an OTLP/HTTP receiver; absent = lines of text. */
  endpoint: string | undefined;
};

const SEND_TIMEOUT_MS = 3000;
const METRICS_EVERY_MS = 60_000;
const SPANS_EVERY_MS = 5000;
const SPANS_AT_ONCE = 512;
/** So many wait while a receiver is slow; more are lost. */
const MAX_SPANS = 8192;

export function openPipeline({ endpoint, ...options }: PipelineOptions): Pipeline {
  return endpoint === undefined ? openLines(options) : openReceiver(endpoint, options);
}

function openLines({ write }: TelemetryOptions): Pipeline {
  const meters = createMeters();
  const writeMetrics = () => meters.read().flatMap(metricLines).forEach(write);
  const timer = setInterval(writeMetrics, METRICS_EVERY_MS).unref();
  return {
    meters,
    sharedJson: createSharedJson(),
    take: (span) => write(spanLine(span)),
    async close() {
      clearInterval(timer);
      writeMetrics();
    },
  };
}

function openReceiver(endpoint: string, { version, write }: TelemetryOptions): Pipeline {
  const meters = createMeters();
  const bodies = createBodies(version);
  const sender = createSender({ endpoint, timeoutMs: SEND_TIMEOUT_MS, onFailure: write });
  let waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const sendSpans = async () => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, SPANS_AT_ONCE);
      waiting = waiting.slice(SPANS_AT_ONCE);
      await sender.send('traces', bodies.traces(batch));
    }
  };
  const flush = () => {
    sending ??= sendSpans().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const sendMetrics = async () => {
    const metrics = meters.read();
    if (metrics.length > 0) await sender.send('metrics', bodies.metrics(metrics));
  };
  const metricsTimer = setInterval(() => void sendMetrics(), METRICS_EVERY_MS).unref();
  return {
    meters,
    sharedJson: createSharedJson(),
    take(span) {
      if (waiting.length >= MAX_SPANS) return;
      waiting.push(span);
      if (waiting.length >= SPANS_AT_ONCE) void flush();
      else timer ??= setTimeout(() => void flush(), SPANS_EVERY_MS).unref();
    },
    async close() {
      clearInterval(metricsTimer);
      clearTimeout(timer);
      const sent = Promise.all([flush().then(() => flush()), sendMetrics()]);
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, SEND_TIMEOUT_MS).unref())]);
      sender.close();
    },
  };
}

function createSharedJson(): Pipeline['sharedJson'] {
  const known = new WeakMap<Agent, Map<Operation, string>>();
  return (operation, agent) => {
    const ofAgent = known.get(agent) ?? new Map<Operation, string>();
    const json = ofAgent.get(operation) ?? attributesJson(operationAttributes(operation, agent));
    known.set(agent, ofAgent.set(operation, json));
    return json;
  };
}
