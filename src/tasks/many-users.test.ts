import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openTodo, type Todo } from '../../scripts/conversation-page.ts';
import { pick } from '../../test/long.ts';
import { userFromId } from '../identity/user.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { User } from '../schema/user.ts';

const [USERS, TURNS] = pick([60, 300], [200, 1_000]);

it(`tells ${USERS} users at once of nothing but their own tasks`, async () => {
  const report = await talkAsManyUsers({ users: USERS, turns: TURNS });
  expect(report).toEqual({ turns: TURNS, leaks: [], failed: 0 });
}, 240_000);

interface ManyUsersReport {
  turns: number;
  /** Answers, intents or tool results that contain a word of another user. */
  leaks: string[];
  failed: number;
}

interface Speaker {
  user: User;
  /** A word in every title of this user and nowhere else. */
  mark: string;
  conversationId?: string;
}

const MARK = /zq\d+q/g;

/** Lets many users talk to one runtime at once and checks that each gets only their own data. */
async function talkAsManyUsers({ users, turns }: { users: number; turns: number }): Promise<ManyUsersReport> {
  const todo = await openTodo();
  const report: ManyUsersReport = { turns: 0, leaks: [], failed: 0 };
  const speakers = Array.from(
    { length: users },
    (_, index): Speaker => ({ user: userFromId(randomUUID()), mark: `zq${index}q` }),
  );
  const each = Math.ceil(turns / users);
  try {
    await Promise.all(speakers.map((speaker, index) => talk(todo, speaker, { each, index, report })));
  } finally {
    await todo.close();
  }
  return report;
}

async function talk(
  todo: Todo,
  speaker: Speaker,
  { each, index, report }: { each: number; index: number; report: ManyUsersReport },
): Promise<void> {
  for (let turn = 0; turn < each; turn++) {
    const message = messagesOf(speaker.mark)[(turn + index) % 10] ?? 'show my tasks';
    const said = await todo.say(speaker.user, message, speaker.conversationId);
    speaker.conversationId = said.conversationId;
    note(said.result, speaker, report);
  }
}

function messagesOf(mark: string): string[] {
  return [
    `remind me to buy milk ${mark}`,
    `add a task to call mom ${mark} tomorrow`,
    'show my tasks',
    'mark buy milk as done',
    `add a task to call the dentist ${mark}`,
    'delete the call task',
    'the second one',
    'what is due this week?',
    `change it to 'walk the dog ${mark}'`,
    'show me my completed tasks',
  ];
}

function note(result: TurnResult, { user, mark }: Speaker, report: ManyUsersReport): void {
  report.turns += 1;
  if (result.status !== 'completed') report.failed += 1;
  const text = JSON.stringify([result.content, result.tool_calls, result.intent, result.intents, result.messages]);
  const strangers = (text.match(MARK) ?? []).filter((found) => found !== mark);
  const owners = [...text.matchAll(/"user_id":"([^"]+)"/g)]
    .map((match) => String(match[1]))
    .filter((id) => id !== user.id);
  if (strangers.length + owners.length > 0) report.leaks.push(`${mark}: ${[...strangers, ...owners].join(', ')}`);
}
