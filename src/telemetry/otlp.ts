import { systemClock } from '../clock.ts';

/** Attribute values by name. Undefined values are left out. */
export type Values = Record<string, string | number | readonly string[] | undefined>;

/** An ended span. Times are milliseconds since 1970, with fractions. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: SpanKind;
  startMs: number;
  endMs: number;
  /** Attributes as JSON, built once for all spans that share them. */
  shared: string;
  own: Values;
  isBroken: boolean;
  /** Times of notices within the span. */
  noticesMs: readonly number[];
}

export interface Histogram {
  name: string;
  unit: string;
  bounds: readonly number[];
  startMs: number;
  series: readonly Series[];
}

export interface Series {
  attributes: Values;
  buckets: number[];
  count: number;
  sum: number;
}

export const INTERNAL = 1;
export const CLIENT = 3;
type SpanKind = typeof INTERNAL | typeof CLIENT;
const STATUS_ERROR = 2;
const CUMULATIVE = 2;

/**
 * Writes the entries of an attribute list, without numbers that JSON cannot hold. Hand-written: this is most of the
 * cost of a trace.
 */
export function attributesJson(values: Values): string {
  let json = '';
  for (const key in values) {
    const value = values[key];
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue;
    json += `${json && ','}{"key":${JSON.stringify(key)},"value":${valueJson(value)}}`;
  }
  return json;
}

function valueJson(value: NonNullable<Values[string]>): string {
  if (typeof value === 'string') return `{"stringValue":${JSON.stringify(value)}}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `{"intValue":${value}}` : `{"doubleValue":${value}}`;
  return `{"arrayValue":{"values":[${value.map(valueJson).join()}]}}`;
}

/** Exact to the microsecond. */
function nanoseconds(ms: number): string {
  return `"${Math.round(ms * 1000)}000"`;
}

function spanJson(span: Span): string {
  const { parentSpanId, shared, noticesMs } = span;
  const own = attributesJson(span.own);
  const parent = parentSpanId === undefined ? '' : `,"parentSpanId":"${parentSpanId}"`;
  const notices = noticesMs.map((ms) => `{"name":"notice","timeUnixNano":${nanoseconds(ms)}}`).join();
  return (
    `{"traceId":"${span.traceId}","spanId":"${span.spanId}"${parent},"name":${JSON.stringify(span.name)},` +
    `"kind":${span.kind},"startTimeUnixNano":${nanoseconds(span.startMs)},"endTimeUnixNano":${nanoseconds(span.endMs)},` +
    `"attributes":[${shared}${shared && own && ','}${own}]${notices && `,"events":[${notices}]`},` +
    `"status":${span.isBroken ? `{"code":${STATUS_ERROR}}` : '{}'}}`
  );
}

function histogramJson({ name, unit, bounds, startMs, series }: Histogram): string {
  const times = `"startTimeUnixNano":${nanoseconds(startMs)},"timeUnixNano":${nanoseconds(systemClock.date().getTime())}`;
  const points = series.map(
    ({ attributes, buckets, count, sum }) =>
      `{"attributes":[${attributesJson(attributes)}],${times},"count":${count},"sum":${sum},` +
      `"bucketCounts":[${buckets}],"explicitBounds":[${bounds}]}`,
  );
  return `{"name":"${name}","unit":"${unit}","histogram":{"aggregationTemporality":${CUMULATIVE},"dataPoints":[${points}]}}`;
}

/** Builds request bodies, each with the attributes of this program. */
export function createBodies({ version, resource: own }: { version: string; resource: Values }) {
  const attributes = attributesJson({ 'service.version': version, ...own });
  const resource = `"resource":{"attributes":[${attributes}]}`;
  const scope = `"scope":{"name":"holodeck","version":${JSON.stringify(version)}}`;
  return {
    traces: (spans: readonly Span[]) =>
      `{"resourceSpans":[{${resource},"scopeSpans":[{${scope},"spans":[${spans.map(spanJson)}]}]}]}`,
    metrics: (metrics: readonly Histogram[]) =>
      `{"resourceMetrics":[{${resource},"scopeMetrics":[{${scope},"metrics":[${metrics.map(histogramJson)}]}]}]}`,
  };
}

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
