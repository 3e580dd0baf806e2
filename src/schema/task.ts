import * as z from 'zod';
import { Uuid } from './ids.ts';
import { Timestamp } from './time.ts';

export const TaskTitle = z.string().trim().min(1, 'must not be empty').max(500, 'must be at most 500 characters');

/** A date, or an instant with its offset. */
export const DueDate = z.union([z.iso.date(), Timestamp]);
export type DueDate = z.infer<typeof DueDate>;

export const Task = z.strictObject({
  id: Uuid,
  user_id: Uuid,
  title: TaskTitle,
  description: z.string().optional(),
  due_date: DueDate.optional(),
  is_completed: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Timestamp.optional(),
});
export type Task = z.infer<typeof Task>;

export const TaskFilter = z.enum(['all', 'pending', 'completed']);
export type TaskFilter = z.infer<typeof TaskFilter>;
