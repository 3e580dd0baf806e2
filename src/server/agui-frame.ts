import type { EventType } from '@ag-ui/core';
import type { Frame } from './translator.ts';

/** An AG-UI event. */
export function aguiFrame(type: `${EventType}`, data: Record<string, unknown>): Frame {
  return { data: { type, ...data } };
}

export function customFrame(name: string, value: unknown): Frame {
  return aguiFrame('CUSTOM', { name, value });
}
