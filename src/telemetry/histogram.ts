import { systemClock } from '../clock.ts';
import type { Histogram, Series, Values } from './otlp.ts';

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
