import * as z from 'zod';
import { ThreadId } from '../conversation/conversation.ts';
import { CallAnswer } from '../conversation/event.ts';
import { lazyLoose } from '../json.ts';

/** A part of a message of the AI SDK. Parts of other types are shown by the page and not read here. */
export const UiPart = lazyLoose(() => ({
  type: z.string(),
  text: z.string().optional(),
  /** Of a file: a data URL, or an address. */
  url: z.string().optional(),
  mediaType: z.string().max(255).optional(),
  filename: z.string().max(255).optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  approval: z
    .looseObject({ id: z.string(), approved: z.boolean().optional(), reason: z.string().optional() })
    .optional(),
}));
export type UiPart = z.infer<typeof UiPart>;

export const UiMessage = z.looseObject({ id: ThreadId, role: z.string(), parts: z.array(UiPart).max(1_000) });
export type UiMessage = z.infer<typeof UiMessage>;

/** The request of the AI SDK's chat transport. The store owns the history, so only used messages are parsed. */
export const UiRequest = lazyLoose(() => ({
  id: ThreadId,
  messages: z.array(z.unknown()).min(1).max(100_000),
  /** Answers to the questions of running tools, which the AI SDK has no part for. */
  answers: z.array(CallAnswer).max(100).optional(),
}));
export type UiRequest = z.infer<typeof UiRequest>;
