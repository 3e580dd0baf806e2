import type { EventType } from '@ag-ui/core';
import type { StreamFrame } from '../stream/translator.ts';

/** An AG-UI event. */
export function aguiFrame(type: `${EventType}`, data: Record<string, unknown>): StreamFrame {
  return { data: { type, ...data } };
}

export function customFrame(name: string, value: unknown): StreamFrame {
  return aguiFrame('CUSTOM', { name, value });
}
