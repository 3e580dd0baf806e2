import type { Agent } from '../schema/agent.ts';
import { type Operation, operationAttributes } from './attributes.ts';
import type { TelemetrySettings } from './environment.ts';
import { createMeters, type Meters } from './meters.ts';
import { attributesJson, createBodies, metricLines, type Span, spanLine } from './otlp.ts';
import { createSender } from './sender.ts';
import type { TelemetryOptions } from './telemetry.ts';

/** Destination of spans and measurements for some agents. */
export interface Pipeline {
  meters: Meters;
  /** Attributes shared by all spans of an agent's operation, as JSON. */
  sharedJson(operation: Operation, agent: Agent): string;
  /** Decides whether a trace is sent; `parent` is the caller's decision. */
  sample(traceId: string, parent: boolean | undefined): boolean;
  /** Accepts an ended span. */
  take(span: Span): void;
  /** Sends everything that still waits. */
  close(): Promise<void>;
}

export type PipelineOptions = TelemetryOptions & {
  settings: TelemetrySettings;
  /** An OTLP/HTTP receiver; if absent, spans are written as lines of text. */
  receiver: Receiver | undefined;
};

/** Address per signal. */
export interface Receiver {
  traces?: string | undefined;
  metrics?: string | undefined;
}

const SEND_TIMEOUT_MS = 3000;
const METRICS_EVERY_MS = 60_000;
const SPANS_EVERY_MS = 5000;
const SPANS_AT_ONCE = 512;
/** The number of spans that may wait for a slow receiver; further ones are dropped. */
const MAX_SPANS = 8192;

export function openPipeline({ receiver, ...options }: PipelineOptions): Pipeline {
  return receiver === undefined ? openLines(options) : openReceiver(receiver, options);
}

type OpenOptions = Omit<PipelineOptions, 'receiver'>;

function openLines({ write, settings }: OpenOptions): Pipeline {
  const meters = createMeters();
  const writeMetrics = () => {
    if (settings.sendsMetrics) meters.read().flatMap(metricLines).forEach(write);
  };
  const timer = setInterval(writeMetrics, METRICS_EVERY_MS).unref();
  return {
    meters,
    sharedJson: createSharedJson(),
    sample: samplerOf(settings),
    take: (span) => write(spanLine(span)),
    async close() {
      clearInterval(timer);
      writeMetrics();
    },
  };
}

function openReceiver(urls: Receiver, { version, write, settings }: OpenOptions): Pipeline {
  const meters = createMeters();
  const bodies = createBodies({ version, resource: settings.resource });
  const sender = createSender({ urls, timeoutMs: SEND_TIMEOUT_MS, onFailure: write });
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
    if (metrics.length > 0 && settings.sendsMetrics) await sender.send('metrics', bodies.metrics(metrics));
  };
  const metricsTimer = setInterval(() => void sendMetrics(), METRICS_EVERY_MS).unref();
  return {
    meters,
    sharedJson: createSharedJson(),
    sample: samplerOf(settings),
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

function samplerOf({ sampler, sendsTraces }: TelemetrySettings): Pipeline['sample'] {
  return sendsTraces ? sampler : () => false;
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
