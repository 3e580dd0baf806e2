import * as z from 'zod';
import { Uuid } from './ids.ts';
import { lazyStrict } from './json.ts';
import { Timestamp } from './scalars.ts';
import type { User } from './user.ts';
import { cleanLine, isInvisible } from './user-text.ts';

const TITLE_CHARS = 500;

/** Control characters are removed before a title is shown; something must be left of it. */
export const TaskTitle = z.lazy(() =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(TITLE_CHARS, `must be at most ${TITLE_CHARS} characters`)
    .refine((title) => !isInvisible(cleanLine(title, TITLE_CHARS)), 'must have a character that can be seen'),
);

/** A date, or an instant with its offset. */
export const DueDate = z.lazy(() => z.union([z.iso.date(), Timestamp]));
export type DueDate = z.infer<typeof DueDate>;

export const Task = lazyStrict(() => ({
  id: Uuid,
  user_id: Uuid,
  /** Empty when an earlier version stored a title of control characters only. */
  title: z.string(),
  description: z.string().optional(),
  due_date: DueDate.optional(),
  is_completed: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Timestamp.optional(),
}));
export type Task = z.infer<typeof Task>;

/** Open tasks whose time has come, by that time. A task without a time of day is not among them. */
export const DueTasks = lazyStrict(() => ({
  tasks: z.array(Task),
  /** Everything due until this instant is reported; a later request goes on from here. */
  until: Timestamp,
  /** The next time that is known now. */
  next: Timestamp.optional(),
}));
export type DueTasks = z.infer<typeof DueTasks>;

/** Takes the tasks that came due for a user since `after`, or since the user's last visit. */
export type TakeDue = (user: User, span: { after?: string | undefined; until: string }) => Promise<DueTasks>;

export const Undone = lazyStrict(() => ({
  /** The turn or call that was undone. */
  batch: z.string(),
  restored: z.array(
    z.strictObject({
      change: z.enum(['removed', 'brought_back', 'reopened', 'completed', 'changed']),
      /** The task now; a removed task as it was. */
      task: Task,
      /** The task before the undo, if it was and is on the list. */
      was: Task.optional(),
    }),
  ),
}));
export type Undone = z.infer<typeof Undone>;

/** A change from a list of tasks: a deletion, or new values. Null takes the due date away. */
export const TaskChange = z.lazy(() =>
  z
    .strictObject({
      is_completed: z.boolean().optional(),
      title: TaskTitle.optional(),
      due_date: DueDate.nullable().optional(),
      deleted: z.literal(true).optional(),
    })
    .refine((change) => Object.values(change).some((value) => value !== undefined), 'must change something')
    .refine((change) => !change.deleted || Object.keys(change).length === 1, 'cannot delete and change at once'),
);
export type TaskChange = z.infer<typeof TaskChange>;

export const ReminderRequest = lazyStrict(() => ({
  /** `until` of the last answer; without it, everything since the user's last visit. */
  after: Timestamp.optional(),
}));

export const TaskFilter = z.enum(['all', 'pending', 'completed']);
export type TaskFilter = z.infer<typeof TaskFilter>;
