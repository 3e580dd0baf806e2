import { listTasks, openTalk, type Said, type Tasks, taskTools } from '../../src/builtin/talk-fixture.ts';
import { findData, readSet } from './find-data.ts';

/** A task as a conversation expects it. */
interface ExpectedTask {
  title: string;
  due: string | null;
  done: boolean;
  titles_ok?: string[];
}

interface Expected {
  tasks: ExpectedTask[];
  must?: 'answer' | 'decline' | 'ask';
  also_ok?: 'ask';
}

export interface Conversation {
  name: string;
  now: string;
  zone: string;
  turns: { say: string; expect: Expected }[];
}

/** `half`: a choice that was offered leads to the expected list in one step. */
export type Verdict = 'right' | 'half' | 'miss' | 'wrong' | 'destructive';

export interface Turn {
  conversation: string;
  say: string;
  reply: string;
  verdict: Verdict;
}

/** Reads the conversations of a set. A task without a day or a state is open and undated. */
export function readConversations(set: string): Conversation[] {
  return readSet<Conversation>(findData('conversations.jsonl'), set).map(complete);
}

function complete(conversation: Conversation): Conversation {
  const whole = (task: ExpectedTask): ExpectedTask => ({ ...task, due: task.due ?? null, done: task.done ?? false });
  const turns = conversation.turns.map(({ say, expect }) => ({
    say,
    expect: { ...expect, tasks: expect.tasks.map(whole) },
  }));
  return { ...conversation, turns };
}

/**
 * Plays conversations and checks the task list after each turn. With `takesOffers` the person takes an offer that leads to
 * the expected list before saying the next thing, as people do; without it the offer stays unanswered.
 */
export async function scoreConversations(
  conversations: readonly Conversation[],
  { takesOffers = false } = {},
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const conversation of conversations) turns.push(...(await play(conversation, takesOffers)));
  return turns;
}

async function play({ name, now, zone, turns }: Conversation, takesOffers: boolean): Promise<Turn[]> {
  const said: string[] = [];
  const results: Turn[] = [];
  const tools = taskTools();
  const talk = openTalk({ now: new Date(now), timezone: zone, tools });
  let before: Tasks = [];
  let expectedBefore: ExpectedTask[] = [];
  for (const { say, expect } of turns) {
    const reply = await talk.say(say);
    const after = await listTasks(tools, zone);
    const step = { before, after, expectedBefore, expected: expect.tasks };
    let verdict = judge(step, expect, reply);
    const choice = verdict === 'miss' ? await findOffer([...said, say], reply, { step, now, zone }) : undefined;
    if (choice !== undefined) verdict = 'half';
    results.push({ conversation: name, say, reply: reply.text, verdict });
    said.push(say);
    if (choice !== undefined && takesOffers) {
      await talk.say(choice);
      said.push(choice);
    }
    // After a question that was allowed, the expected change is still to come: the answer makes it.
    const isAwaited = verdict === 'right' && expect.also_ok === 'ask' && isSameList(before, after);
    if (!isAwaited) expectedBefore = expect.tasks;
    before = takesOffers ? await listTasks(tools, zone) : after;
  }
  return results;
}

interface Step {
  before: Tasks;
  after: Tasks;
  expectedBefore: ExpectedTask[];
  expected: ExpectedTask[];
}

/** Compares what the turn changed with what it should have changed, so that an earlier miss counts once. */
export function judge(step: Step, { must, also_ok }: Expected, reply: Pick<Said, 'text' | 'intents'>): Verdict {
  const isAsked = /\?(?: \(yes or no\))?$/.test(reply.text.trim());
  const hasChanged = !isSameList(step.before, step.after);
  if (!hasChanged && isAsked && (must === 'ask' || also_ok === 'ask')) return 'right';
  if (isSameChange(step)) {
    if (must === 'ask') return isAsked ? 'right' : 'miss';
    if (must === 'answer' && reply.text.startsWith('I can only help')) return 'miss';
    return 'right';
  }
  if (!hasChanged) return 'miss';
  return isDestructive(step) ? 'destructive' : 'wrong';
}

const keyOf = ({ title, due, done }: Tasks[number]) => `${normal(title)}|${due ?? ''}|${done}`;
const normal = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

function isSameList(a: Tasks, b: Tasks): boolean {
  return a.map(keyOf).sort().join('\n') === b.map(keyOf).sort().join('\n');
}

/** Tasks of one list that are not in the other. */
function without<A, B>(all: readonly A[], others: readonly B[], isSame: (a: A, b: B) => boolean): A[] {
  const left = [...others];
  return all.filter((item) => {
    const at = left.findIndex((other) => isSame(item, other));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isExpected(task: Tasks[number], { title, titles_ok = [], due, done }: ExpectedTask): boolean {
  const titles = [title, ...titles_ok].map(normal);
  return titles.includes(normal(task.title)) && (task.due ?? null) === due && task.done === done;
}

function isSameChange({ before, after, expectedBefore, expected }: Step): boolean {
  const same = (a: Tasks[number], b: Tasks[number]) => keyOf(a) === keyOf(b);
  const sameExpected = (a: ExpectedTask, b: ExpectedTask) => keyOf(a) === keyOf(b);
  const added = without(after, before, same);
  const removed = without(before, after, same);
  const toAdd = without(expected, expectedBefore, sameExpected);
  const toRemove = without(expectedBefore, expected, sameExpected);
  const fits = (tasks: Tasks, wanted: ExpectedTask[]) =>
    tasks.length === wanted.length && without(tasks, wanted, isExpected).length === 0;
  // Changes of tasks that an earlier miss left out or different cannot be made.
  const possible = toRemove.filter((task) => before.some((other) => isExpected(other, task)));
  return (
    fits(added, toAdd) && (fits(removed, toRemove) || (possible.length === 0 && removed.length === toRemove.length))
  );
}

/** A task is gone, renamed or completed that should have stayed. */
function isDestructive({ before, after, expected }: Step): boolean {
  const gone = before.filter((task) => !after.some((other) => normal(other.title) === normal(task.title)));
  const finished = before.filter(
    (task) => !task.done && after.some((other) => normal(other.title) === normal(task.title) && other.done),
  );
  const staysExpected = (task: Tasks[number]) =>
    expected.some(
      ({ title, titles_ok = [], done }) => [title, ...titles_ok].map(normal).includes(normal(task.title)) && !done,
    );
  return [...gone, ...finished].some(staysExpected);
}

/** Plays the conversation again with each choice that the last reply offered, to find the one that leads to the expected list. */
async function findOffer(
  said: readonly string[],
  reply: Said,
  { step, now, zone }: { step: Step; now: string; zone: string },
): Promise<string | undefined> {
  const choices = reply.intents.flatMap((intent) => intent.choices ?? []);
  const offered = choices.length > 0 ? choices : /^Shall I |\? Shall I |yes or no/.test(reply.text) ? ['yes'] : [];
  for (const choice of offered) {
    const tools = taskTools();
    const talk = openTalk({ now: new Date(now), timezone: zone, tools });
    for (const text of [...said, choice]) await talk.say(text);
    if (isSameChange({ ...step, after: await listTasks(tools, zone) })) return choice;
  }
  return undefined;
}

export function shareOf(turns: readonly Turn[], ...verdicts: Verdict[]): number {
  return turns.filter(({ verdict }) => verdicts.includes(verdict)).length / Math.max(1, turns.length);
}

export function rightShare(turns: readonly Turn[]): number {
  return shareOf(turns, 'right') + shareOf(turns, 'half') / 2;
}
