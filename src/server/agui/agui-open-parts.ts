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

/** Parts that a run has opened and must close: a step, and in it a message or its reasoning. */
export interface OpenParts {
  /** `speaker`: the agent that replies, in a team. */
  step(stepName: string, speaker?: string): StreamFrame[];
  text(messageId: string, delta: string): StreamFrame[];
  reasoning(ofMessage: string, delta: string): StreamFrame[];
  hasText(): boolean;
  textId(): string | undefined;
  closeAll(): StreamFrame[];
}

export function createOpenParts(): OpenParts {
  let step: string | undefined;
  let textId: string | undefined;
  let name: string | undefined;
  let reasoningId: string | undefined;

  const closeMessages = (): StreamFrame[] => {
    const frames: StreamFrame[] = [];
    if (reasoningId) {
      frames.push(aguiFrame('REASONING_MESSAGE_END', { messageId: reasoningId }));
      frames.push(aguiFrame('REASONING_END', { messageId: reasoningId }));
    }
    if (textId) frames.push(aguiFrame('TEXT_MESSAGE_END', { messageId: textId }));
    reasoningId = textId = undefined;
    return frames;
  };
  const closeAll = (): StreamFrame[] => {
    const frames = closeMessages();
    if (step) frames.push(aguiFrame('STEP_FINISHED', { stepName: step }));
    step = undefined;
    return frames;
  };
  return {
    closeAll,
    textId: () => textId,
    hasText: () => textId !== undefined || reasoningId !== undefined,
    step(stepName, speaker) {
      name = speaker;
      const closing = closeAll();
      step = stepName;
      return [...closing, aguiFrame('STEP_STARTED', { stepName })];
    },
    text(messageId, delta) {
      const content = aguiFrame('TEXT_MESSAGE_CONTENT', { messageId, delta });
      if (textId === messageId) return [content];
      const closing = closeMessages();
      textId = messageId;
      return [
        ...closing,
        aguiFrame('TEXT_MESSAGE_START', { messageId, role: 'assistant', ...(name && { name }) }),
        content,
      ];
    },
    reasoning(ofMessage, delta) {
      const messageId = `${ofMessage}-reasoning`;
      const content = aguiFrame('REASONING_MESSAGE_CONTENT', { messageId, delta });
      if (reasoningId === messageId) return [content];
      const closing = closeMessages();
      reasoningId = messageId;
      const start = aguiFrame('REASONING_MESSAGE_START', { messageId, role: 'reasoning' });
      return [...closing, aguiFrame('REASONING_START', { messageId }), start, content];
    },
  };
}
