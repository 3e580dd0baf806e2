import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../clock.ts';
import { userFromId } from '../../identity/user.ts';
import { createSqliteTaskStore } from '../../tasks/sqlite-task-store.ts';
import { createReminders } from './reminders.ts';

const ANN = userFromId('00000000-0000-4000-8000-00000000000a');

/** A task store with a clock, and chats that are opened over it. */
function openList() {
  const clock = createFakeClock('2026-11-16T09:00:00.000Z');
  const store = createSqliteTaskStore({ path: ':memory:', now: clock.date });
  const runtime = {
    takeReminders: async (_: unknown, { after }: { after?: string | undefined }) =>
      store.takeDue(ANN.id, { after, until: clock.date().toISOString() }),
  };
  const openChat = () => {
    const shown: string[] = [];
    const show = (text: string) => shown.push(text);
    return { shown, ...createReminders({ runtime, user: ANN, agent: 'todo', clock, show }) };
  };
  let calls = 0;
  const add = (title: string, due_date: string) => store.addTask(ANN.id, { title, due_date }, { callId: `${++calls}` });
  return { clock, openChat, add };
}

describe('createReminders', () => {
  it('shows a task at its time, once', async () => {
    const { clock, openChat, add } = openList();
    await add('call the dentist', '2026-11-16T10:00:30+01:00');
    const chat = openChat();
    await chat.check();
    await clock.advance(29_999);
    expect(chat.shown).toEqual([]);
    await clock.advance(1);
    expect(chat.shown).toEqual(['Due now: call the dentist']);
    await chat.check();
    await clock.advance(600_000);
    expect(chat.shown).toEqual(['Due now: call the dentist']);
    chat.close();
    expect(clock.waiting).toBe(0);
  });

  it('shows it in every open chat, and in none that is opened later', async () => {
    const { clock, openChat, add } = openList();
    const [one, two] = [openChat(), openChat()];
    await Promise.all([one.check(), two.check()]);
    await add('call the dentist', '2026-11-16T09:02:00Z');
    await clock.advance(180_000);
    expect([one.shown, two.shown]).toEqual([['Due now: call the dentist'], ['Due now: call the dentist']]);
    const three = openChat();
    await three.check();
    expect(three.shown).toEqual([]);
  });

  it('shows in a later chat what came due meanwhile, at most five of them', async () => {
    const { clock, openChat, add } = openList();
    for (const minute of [1, 2, 3, 4, 5, 6, 7]) await add(`task\n${minute}`, `2026-11-16T09:0${minute}:00Z`);
    await clock.advance(3_600_000);
    const chat = openChat();
    await chat.check();
    expect(chat.shown).toHaveLength(6);
    expect(chat.shown[0]).toMatch(/^Due since Mon,? 16 Nov,? .*\d\d:01: task 1$/);
    expect(chat.shown[5]).toBe('2 more tasks are due.');
  });

  it('reads the list again after a failure', async () => {
    const clock = createFakeClock();
    const shown: string[] = [];
    let readings = 0;
    const runtime = {
      async takeReminders() {
        readings++;
        throw new Error('locked');
      },
    };
    const { check, close } = createReminders({
      runtime,
      user: ANN,
      agent: 'todo',
      clock,
      show: (text) => shown.push(text),
    });
    await check();
    await clock.advance(60_000);
    close();
    expect([readings, shown]).toEqual([2, []]);
  });
});
