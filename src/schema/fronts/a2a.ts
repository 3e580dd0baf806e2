import * as z from 'zod';
import { CallAnswer } from '../conversation/event.ts';
import { Json, JsonObject, lazyLoose } from '../json.ts';

const RequestId = z.lazy(() => z.union([z.string().max(200), z.number()]));

/** A part of a message: text, a file, an address, or data. */
export const A2aPart = lazyLoose(() => ({
  text: z.string().nullish(),
  raw: z.string().nullish(),
  url: z.string().max(2_000).nullish(),
  data: Json.optional(),
  filename: z.string().max(255).nullish(),
  mediaType: z.string().max(255).nullish(),
}));
export type A2aPart = z.infer<typeof A2aPart>;

/** The part of a message by which a client answers the questions of a task. */
export const A2aAnswers = z.lazy(() => z.looseObject({ answers: z.array(CallAnswer).max(100) }));

/** How many of a task's messages its reader wants. */
export const A2aHistory = z.lazy(() => z.looseObject({ historyLength: z.number().int().min(0).nullish() }));

export const A2aSend = lazyLoose(() => ({
  message: z.looseObject({
    messageId: z.string().min(1).max(128),
    contextId: z.string().max(128).nullish(),
    taskId: z.string().max(128).nullish(),
    parts: z.array(A2aPart).min(1).max(100),
  }),
  configuration: A2aHistory.unwrap().extend({ returnImmediately: z.boolean().nullish() }).nullish(),
}));
export type A2aSend = z.infer<typeof A2aSend>;

export const A2aTaskId = z.lazy(() => A2aHistory.unwrap().extend({ id: z.string().min(1).max(128) }));

export const A2aList = lazyLoose(() => ({
  ...A2aHistory.unwrap().shape,
  contextId: z.string().max(128).nullish(),
  status: z.string().max(64).nullish(),
  statusTimestampAfter: z.iso.datetime({ offset: true }).nullish(),
  pageSize: z.number().int().min(1).max(100).nullish(),
  pageToken: z.string().max(64).nullish(),
  includeArtifacts: z.boolean().nullish(),
}));
export type A2aList = z.infer<typeof A2aList>;

/** A JSON-RPC request of A2A. */
export const A2aRequest = lazyLoose(() => ({
  jsonrpc: z.literal('2.0'),
  id: RequestId.nullish(),
  method: z.string().max(100),
  params: JsonObject.optional(),
}));
export type A2aRequest = z.infer<typeof A2aRequest>;
