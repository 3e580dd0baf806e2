import * as z from 'zod';
import { JsonObject } from './json.ts';

/** What a message was understood to ask for. `confidence` only where a model computes one. */
export const Intent = z.strictObject({
  name: z.string().min(1),
  confidence: z.number().min(0).max(1).optional(),
  parameters: JsonObject,
  clarification_question: z.string().min(1).optional(),
});
export type Intent = z.infer<typeof Intent>;

/** The intents of the todo agent. */
export const TodoIntent = z.enum([
  'create_task',
  'list_tasks',
  'complete_task',
  'delete_task',
  'update_task',
  'clarification_needed',
  'unknown',
]);
export type TodoIntent = z.infer<typeof TodoIntent>;
