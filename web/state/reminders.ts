import type { DueAnswer, ShownTask } from '../api/shapes.ts';

/** Tasks may be added by other programs, so the server is asked again at least this often. */
const LONGEST_WAIT_MS = 60_000;

/** A task whose time has come. `isLate`: it came before the page was opened. */
export interface DueNotice {
  task: ShownTask;
  isLate: boolean;
}

export interface RemindersInput {
  /** Asks the server for what came due after an instant, or since the user's last visit. */
  take(after: string | undefined): Promise<DueAnswer>;
  show(notices: readonly DueNotice[]): void;
  now(): number;
  /** Calls back once; the returned function cancels it. */
  wait(ms: number, callback: () => void): () => void;
}

export interface Reminders {
  /** Asks now, and again when the next task is due. */
  check(): void;
  close(): void;
}

/** Reports each task once when its time comes. An answer that arrives after `close` is still shown: it is not repeated. */
export function createReminders({ take, show, now, wait }: RemindersInput): Reminders {
  let after: string | undefined;
  let cancel = () => {};
  let isClosed = false;
  let running = Promise.resolve();

  async function look(): Promise<void> {
    if (isClosed) return;
    cancel();
    const due = await take(after).catch(() => undefined);
    const isLate = after === undefined;
    if (due && due.tasks.length > 0) show(due.tasks.map((task) => ({ task, isLate })));
    after = due?.until ?? after;
    const ms = due?.next ? Math.max(Date.parse(due.next) - now(), 0) : LONGEST_WAIT_MS;
    if (!isClosed) cancel = wait(Math.min(ms, LONGEST_WAIT_MS), check);
  }

  /** Requests run one after the other, so that no task is shown twice. */
  function check(): void {
    running = running.then(look);
  }

  return {
    check,
    close() {
      isClosed = true;
      cancel();
    },
  };
}
