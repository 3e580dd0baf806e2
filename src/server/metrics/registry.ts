/** Label names and values; never a user, a conversation or an argument. */
type Labels = Readonly<Record<string, string | number>>;

interface Counter {
  add(labels: Labels, count?: number): void;
}

interface Histogram {
  record(labels: Labels, value: number): void;
}

/** Measurements since the start, as text in the format of Prometheus. */
export interface Registry {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** Read when the text is made. */
  gauge(name: string, help: string, read: () => number): void;
  render(): string;
}

export function createRegistry(): Registry {
  const parts: (() => string[])[] = [];
  const head = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  return {
    counter(name, help) {
      const counts = new Map<string, number>();
      parts.push(() => [
        ...head(name, help, 'counter'),
        ...[...counts].map(([labels, count]) => `${name}${labels} ${count}`),
      ]);
      return {
        add(labels, count = 1) {
          const key = formatLabels(labels);
          counts.set(key, (counts.get(key) ?? 0) + count);
        },
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, { labels: Labels; buckets: number[]; sum: number; count: number }>();
      parts.push(() => [
        ...head(name, help, 'histogram'),
        ...[...series.values()].flatMap(({ labels, buckets, sum, count }) => [
          ...bounds.map((bound, index) => `${name}_bucket${formatLabels({ ...labels, le: bound })} ${buckets[index]}`),
          `${name}_bucket${formatLabels({ ...labels, le: '+Inf' })} ${count}`,
          `${name}_sum${formatLabels(labels)} ${sum}`,
          `${name}_count${formatLabels(labels)} ${count}`,
        ]),
      ]);
      return {
        record(labels, value) {
          const key = formatLabels(labels);
          const one = series.get(key) ?? { labels, buckets: bounds.map(() => 0), sum: 0, count: 0 };
          series.set(key, one);
          one.count++;
          one.sum += value;
          for (const [index, bound] of bounds.entries())
            if (value <= bound) one.buckets[index] = (one.buckets[index] ?? 0) + 1;
        },
      };
    },
    gauge(name, help, read) {
      parts.push(() => [...head(name, help, 'gauge'), `${name} ${read()}`]);
    },
    render: () => `${parts.flatMap((part) => part()).join('\n')}\n`,
  };
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
