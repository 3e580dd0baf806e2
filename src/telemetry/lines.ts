import type { Histogram, Span } from './otlp.ts';

/** Writes a span as a line of text: name, duration, and its place in the trace. */
export function spanLine({ name, startMs, endMs, own, traceId, spanId, parentSpanId }: Span): string {
  const input = own['gen_ai.usage.input_tokens'];
  const tokens = input === undefined ? '' : `  ${input}+${own['gen_ai.usage.output_tokens']} tokens`;
  const error = own['error.type'] === undefined ? '' : `  ${own['error.type']}`;
  const parent = parentSpanId ? ` < ${parentSpanId}` : '';
  return `span  ${name}  ${(endMs - startMs).toFixed(1)} ms${tokens}${error}  trace ${traceId} ${spanId}${parent}`;
}

/** Writes measurements, one line per set of attributes. */
export function metricLines({ name, unit, series }: Histogram): string[] {
  return series.map(({ attributes, count, sum }) => {
    const about = [attributes['gen_ai.operation.name'], attributes['gen_ai.token.type']].filter(Boolean).join(' ');
    const times = count === 1 ? 'once' : `${count} times`;
    return `metric  ${name}  ${about}  ${times}, ${amountText(sum, unit)} in all`;
  });
}

/** Writes seconds with fractions; a unit such as `{token}` is a count. */
function amountText(sum: number, unit: string): string {
  const counted = /^\{(.+)\}$/.exec(unit)?.[1];
  return counted === undefined ? `${sum.toFixed(3)} ${unit}` : `${sum} ${counted}${sum === 1 ? '' : 's'}`;
}
