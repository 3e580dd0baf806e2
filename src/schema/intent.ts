import * as z from 'zod';
import { JsonObject } from './json.ts';

/** The interpretation of a message. `confidence` is present only if a model computes it. */
export const Intent = z.strictObject({
  name: z.string().min(1),
  confidence: z.number().min(0).max(1).optional(),
  parameters: JsonObject,
  clarification_question: z.string().min(1).optional(),
  /** Messages that the user may send to answer the question, best first. */
  choices: z.array(z.string().min(1)).max(3).optional(),
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
