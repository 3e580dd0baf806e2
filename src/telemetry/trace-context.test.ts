import { expect, it } from 'vitest';
import { readTraceparent, writeTraceparent } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

it('reads and writes a traceparent', () => {
  const header = `00-${TRACE}-${SPAN}-01`;
  expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
  expect(writeTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: true })).toBe(header);
  expect(readTraceparent(`cc-${TRACE}-${SPAN}-02-later`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: false });
});

it.each([
  undefined,
  '',
  `00-${TRACE}-${SPAN}`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
])('begins a new trace for %j', (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
