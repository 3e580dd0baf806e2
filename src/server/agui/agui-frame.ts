import type { EventType } from '@ag-ui/core';
import type { EventOf } from '../../schema/conversation/event.ts';
import type { StreamFrame } from '../stream/translator.ts';

/** An AG-UI event. */
export function aguiFrame(type: `${EventType}`, data: Record<string, unknown>): StreamFrame {
  return { data: { type, ...data } };
}

export function customFrame(name: string, value: unknown): StreamFrame {
  return aguiFrame('CUSTOM', { name, value });
}

/** The checks of an answer, then the passages that it cites. */
export function annotationFrames({ checks, citations }: EventOf<'annotation'>): StreamFrame[] {
  return [customFrame('annotation', checks), ...(citations ? [customFrame('citations', citations)] : [])];
}
