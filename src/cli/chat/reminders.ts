import type { Clock } from '../../clock.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { DueTasks, Task } from '../../schema/task.ts';
import type { User } from '../../schema/user.ts';
import { sanitizeText } from '../../tools/sanitize.ts';

/** Tasks may be added by other programs, so the list is read again at least this often. */
const LONGEST_WAIT_MS = 60_000;
const SHOWN_TASKS = 5;

export interface RemindersInput {
  runtime: Pick<Runtime, 'takeReminders'>;
  user: User;
  agent: string;
  clock: Clock;
  show(text: string): void;
}

export interface Reminders {
  /** Reads the list now: shows what is due, and waits for the next time. Never throws. */
  check(): Promise<void>;
  close(): void;
}

/** Shows a line for each task whose time comes while the chat is open, and first what came due before. */
export function createReminders({ runtime, user, agent, clock, show }: RemindersInput): Reminders {
  let after: string | undefined;
  let cancel = () => {};
  let isClosed = false;
  let running = Promise.resolve();

  async function look(): Promise<void> {
    if (isClosed) return;
    cancel();
    // A task list that cannot be read now is read again later.
    const due = await runtime.takeReminders(user, { agent, after }).catch(() => undefined);
    if (due) for (const line of describeDue(due, { isLate: after === undefined })) show(line);
    after = due?.until ?? after;
    if (!isClosed) cancel = clock.after(waitMs(due, clock), () => void check());
  }

  /** Readings run one after the other, so that no task is shown twice. */
  function check(): Promise<void> {
    running = running.then(look);
    return running;
  }

  return {
    check,
    close() {
      isClosed = true;
      cancel();
    },
  };
}

function waitMs(due: DueTasks | undefined, clock: Clock): number {
  if (!due?.next) return LONGEST_WAIT_MS;
  return Math.min(Math.max(Date.parse(due.next) - clock.date().getTime(), 0), LONGEST_WAIT_MS);
}

function describeDue({ tasks }: DueTasks, { isLate }: { isLate: boolean }): string[] {
  const lines = tasks.slice(0, SHOWN_TASKS).map((task) => (isLate ? describeLate(task) : `Due now: ${titleOf(task)}`));
  const rest = tasks.length - lines.length;
  return rest > 0 ? [...lines, `${rest} more ${rest === 1 ? 'task is' : 'tasks are'} due.`] : lines;
}

function describeLate(task: Task): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return `Due since ${new Date(task.due_date ?? '').toLocaleString('en-GB', day)}: ${titleOf(task)}`;
}

function titleOf({ title }: Task): string {
  return sanitizeText(title).replaceAll('\n', ' ');
}
