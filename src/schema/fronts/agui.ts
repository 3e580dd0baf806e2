import * as z from 'zod';
import { ThreadId } from '../conversation/conversation.ts';
import { Json, JsonObject, lazyLoose } from '../json.ts';

const MAX_TOOLS = 128;
const MAX_CONTEXT = 1_000;

const FrontEndTool = lazyLoose(() => ({
  name: z.string().min(1).max(64),
  description: z.string().max(10_000).default(''),
  parameters: JsonObject.nullish(),
}));
const PageContext = lazyLoose(() => ({
  description: z.string(),
  /** Text according to the protocol; other values from a page are shown as JSON. */
  value: Json,
}));
const ResumeEntry = lazyLoose(() => ({
  interruptId: z.string().min(1).max(200),
  status: z.enum(['resolved', 'cancelled']),
  payload: Json.optional(),
}));
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/** The fields of AG-UI's input that we read. The store owns the history, so only used messages are parsed. */
export const RunAgentInput = lazyLoose(() => ({
  threadId: ThreadId,
  runId: ThreadId,
  protocolVersion: z.string().max(20).nullish(),
  state: z.unknown().optional(),
  messages: z.array(z.unknown()).max(100_000),
  context: z.array(PageContext).max(MAX_CONTEXT).nullish(),
  tools: z.array(FrontEndTool).max(MAX_TOOLS).nullish(),
  resume: z.array(ResumeEntry).max(100).nullish(),
  forwardedProps: z.unknown().optional(),
}));
export type RunAgentInput = z.infer<typeof RunAgentInput>;
