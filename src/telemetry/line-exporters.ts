import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Write = (line: string) => void;

/** Spans as lines of text, each when it ends: what, how long, and where it belongs. */
export function createLineSpanExporter(write: Write): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) write(spanLine(span));
      done({ code: 0 });
    },
    shutdown: async () => {},
  };
}

function spanLine(span: ReadableSpan): string {
  const { name, duration, attributes, parentSpanContext } = span;
  const ms = duration[0] * 1000 + duration[1] / 1e6;
  const { traceId, spanId } = span.spanContext();
  const input = attributes['gen_ai.usage.input_tokens'];
  const tokens = input === undefined ? '' : `  ${input}+${attributes['gen_ai.usage.output_tokens']} tokens`;
  const error = attributes['error.type'] === undefined ? '' : `  ${attributes['error.type']}`;
  const parent = parentSpanContext ? ` < ${parentSpanContext.spanId}` : '';
  return `span  ${name}  ${ms.toFixed(1)} ms${tokens}${error}  trace ${traceId} ${spanId}${parent}`;
}

/** What was measured, one line for each set of attributes. */
export function createLineMetricExporter(write: Write): PushMetricExporter {
  return {
    export(metrics, done) {
      for (const line of metricLines(metrics)) write(line);
      done({ code: 0 });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

function metricLines({ scopeMetrics }: ResourceMetrics): string[] {
  return scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ value, attributes }) => {
        const kind = [attributes['gen_ai.operation.name'], attributes['gen_ai.token.type']].filter(Boolean).join(' ');
        const sum =
          typeof value === 'object' && 'sum' in value
            ? `${value.count} times, ${Number(value.sum).toFixed(3)} in all`
            : String(value);
        return `metric  ${descriptor.name}  ${kind}  ${sum} ${descriptor.unit}`;
      }),
    ),
  );
}
