import type { Clock } from '../clock.ts';
import { DUE_TASKS } from '../kinds/tasks.ts';
import type { DueTasks } from '../schema/task.ts';
import type { User } from '../schema/user.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';
import { findTaskEntry } from './task-list.ts';

export interface ReminderInput {
  agent: string;
  /** The `until` of the front's last request; without it, everything since the user's last visit. */
  after?: string | undefined;
}

/** The tasks whose time has come. Undefined for an agent without a readable built-in task list. */
export async function takeReminders(
  { clock, findAgent }: { clock: Clock; findAgent(name: string): ReadyAgent },
  user: User,
  { agent, after }: ReminderInput,
): Promise<DueTasks | undefined> {
  const ready = findAgent(agent);
  const entry = findTaskEntry(ready.agent);
  if (!entry || (entry.allow && !entry.allow.includes('list_tasks'))) return undefined;
  return ready.find(DUE_TASKS)?.(user, { after, until: clock.date().toISOString() });
}
