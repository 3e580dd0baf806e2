import { systemClock } from '../clock.ts';
import type { Agent } from '../schema/agent.ts';
import type { TokenUsage } from '../schema/conversation/token-usage.ts';
import { type Operation, operationAttributes } from './attributes.ts';
import type { Histogram, Series, Values } from './otlp.ts';

/** Duration of an operation and its error, if any. */
interface Duration {
  ms: number;
  errorType?: string | undefined;
}

/** The measurements that the conventions require. */
export interface Meters {
  recordDuration(operation: Operation, agent: Agent, duration: Duration): void;
  recordTokens(agent: Agent, usage: TokenUsage | undefined): void;
  /** All measurements since the start. */
  read(): Histogram[];
}

/** Bucket bounds from the conventions. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

export function createMeters(): Meters {
  const durations = createHistogram({ name: 'gen_ai.client.operation.duration', unit: 's', bounds: SECONDS });
  const tokens = createHistogram({ name: 'gen_ai.client.token.usage', unit: '{token}', bounds: TOKENS });
  const seriesOf = (operation: Operation, { name, model }: Agent, kind = '') =>
    `${operation} ${kind} ${name} ${model.provider} ${model.name}`;
  const recordTokenKind = (agent: Agent, kind: 'input' | 'output', count: number) =>
    tokens.record(count, seriesOf('chat', agent, kind), () => ({
      ...operationAttributes('chat', agent),
      'gen_ai.token.type': kind,
    }));
  return {
    recordDuration(operation, agent, { ms, errorType }) {
      durations.record(ms / 1000, seriesOf(operation, agent, errorType), () => ({
        ...operationAttributes(operation, agent),
        'error.type': errorType,
      }));
    },
    recordTokens(agent, usage) {
      if (!usage) return;
      recordTokenKind(agent, 'input', usage.prompt_tokens);
      recordTokenKind(agent, 'output', usage.completion_tokens);
    },
    read: () => [durations, tokens].map((histogram) => histogram.read()).filter(hasPoints),
  };
}

function hasPoints({ series }: Histogram): boolean {
  return series.length > 0;
}

export interface HistogramOptions {
  name: string;
  unit: string;
  /** Upper bounds of the buckets, ascending; one more bucket takes larger values. */
  bounds: readonly number[];
}

/** Counts values by size, per set of attributes. Attributes are built only when a series is first seen. */
export function createHistogram({ name, unit, bounds }: HistogramOptions) {
  const startMs = systemClock.date().getTime();
  const all = new Map<string, Series>();
  const add = (key: string, attributes: Values): Series => {
    const series = { attributes, buckets: new Array<number>(bounds.length + 1).fill(0), count: 0, sum: 0 };
    all.set(key, series);
    return series;
  };
  return {
    record(value: number, key: string, makeAttributes: () => Values): void {
      // A single NaN would make the sum useless for good.
      if (!Number.isFinite(value)) return;
      const series = all.get(key) ?? add(key, makeAttributes());
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
      series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
      series.count++;
      series.sum += value;
    },
    read: (): Histogram => ({ name, unit, bounds, startMs, series: [...all.values()] }),
  };
}
