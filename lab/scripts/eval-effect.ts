import { listTasks, openTalk, type Tasks, taskTools } from '../../src/builtin/talk-fixture.ts';
import { cleanText } from '../../src/language/clean-text.ts';
import { extractWhen } from '../../src/language/when.ts';
import { createZone } from '../../src/language/zoned-time.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { loose, type OutsideRow, readOutside } from './eval-outside.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const ZONE = createZone({ now: NOW, timezone: 'UTC' });
const USER = '00000000-0000-4000-8000-00000000000a';
/** References to groups: which tasks they mean depends on a list that the row does not give. */
const GROUP = /\b(?:all|everything|both|them|first|last|number|\d)\b|^it$|^that$/i;
const FILTERS: Readonly<Record<string, string>> = { open: 'pending', done: 'completed' };

export interface EffectScore {
  count: number;
  right: number;
  misses: string[];
}

/**
 * Plays each labelled message to a user who has the task that it is about, and a yes where it is asked for. The list
 * afterwards must be the one that the labels mean, however the slots are worded.
 */
export async function scoreEffect(set: string): Promise<EffectScore> {
  const rows = readOutside(set).filter(({ slots }) => Object.keys(slots).length > 0 && !GROUP.test(slots.ref ?? ''));
  const results = [];
  for (const row of rows) results.push({ row, isRight: await hasEffect(row) });
  return {
    count: rows.length,
    right: results.filter(({ isRight }) => isRight).length / Math.max(1, rows.length),
    misses: results
      .filter(({ isRight }) => !isRight)
      .map(({ row }) => `EFFECT ${row.text} | ${JSON.stringify(row.slots)}`),
  };
}

async function hasEffect({ intent, text, slots }: OutsideRow): Promise<boolean> {
  const tools = taskTools();
  if (slots.ref !== undefined && intent !== 'list_tasks') await seed(tools, slots.ref);
  const before = await listTasks(tools, 'UTC');
  const talk = openTalk({ now: NOW, timezone: 'UTC', tools });
  const said = await talk.say(text);
  if (intent === 'list_tasks') return isListed(said.calls, slots);
  if (/^Shall I [^?]*\?(?: \(yes or no\))?$/.test(said.text)) await talk.say('yes');
  return isExpected(intent, { before, after: await listTasks(tools, 'UTC'), slots });
}

async function seed(tools: readonly Tool[], title: string): Promise<void> {
  const create = tools.find(({ name }) => name === 'add_task');
  if (!create) throw new Error('no tool adds a task');
  for (const [index, name] of [title, 'sweep the yard'].entries())
    await create.run(
      { user_id: USER, title: name, due_date: '2026-11-29' },
      // The tool reads only these parts of its context.
      {
        user: { id: USER },
        conversationId: 'before',
        callId: `s${index}`,
        turnId: `s${index}`,
        signal: new AbortController().signal,
      } as never,
    );
}

function isListed(
  calls: readonly { name: string; arguments: Record<string, unknown> }[],
  slots: OutsideRow['slots'],
): boolean {
  const call = calls.find(({ name }) => name === 'list_tasks');
  if (!call || calls.some(({ name }) => name !== 'list_tasks')) return false;
  const when = slots.when === undefined ? undefined : extractWhen(cleanText(slots.when), ZONE);
  const due = when && (when.from === when.to ? when.from : `${when.from}/${when.to}`);
  const filter = slots.filter === undefined ? undefined : (FILTERS[slots.filter] ?? slots.filter);
  const got = call.arguments.filter ?? 'all';
  return (filter === undefined || got === filter) && (due === undefined || call.arguments.due === due);
}

interface Lists {
  before: Tasks;
  after: Tasks;
  slots: OutsideRow['slots'];
}

function isExpected(intent: string, { before, after, slots }: Lists): boolean {
  const [task] = before.filter(({ title }) => title === slots.ref);
  const others = (tasks: Tasks) => tasks.filter(({ title }) => title === 'sweep the yard');
  const rest = after.filter(({ title }) => title !== 'sweep the yard');
  if (JSON.stringify(others(before)) !== JSON.stringify(others(after))) return false;
  if (intent === 'create_task') return isMade(rest, slots);
  if (intent === 'delete_task') return task !== undefined && rest.length === 0;
  const [changed, another] = rest;
  if (!changed || another || !task) return false;
  if (intent === 'complete_task') return changed.done && changed.title === task.title;
  const wanted = slots.new_title ?? slots.title;
  const isNamed = wanted === undefined ? changed.title === task.title : loose(changed.title) === loose(wanted);
  const day = dueOf(slots.when);
  return isNamed && (day === undefined || changed.due?.slice(0, day.length) === day) && !changed.done;
}

function isMade(tasks: Tasks, { title = '', when }: OutsideRow['slots']): boolean {
  const titles = title.split('|');
  const times = (when ?? '').split('|');
  return (
    tasks.length === titles.length &&
    titles.every((name, index) => {
      const due = dueOf(times[index] ?? times[0]);
      return tasks.some((task) => loose(task.title) === loose(name) && (task.due ?? undefined) === due);
    })
  );
}

function dueOf(when: string | undefined): string | undefined {
  const due = when === undefined || when === '' ? undefined : extractWhen(cleanText(when), ZONE)?.due;
  return due?.replace(/:00(?:Z|[+-].*)$/, '');
}
