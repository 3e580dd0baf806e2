import { readFileSync } from 'node:fs';
import { listTasks, openTalk, type Said, type Tasks, taskTools } from '../../src/builtin/talk-fixture.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { judge, rightShare, shareOf, type Turn } from './eval-conversations.ts';

interface Personas {
  personas: Record<string, Record<string, string[]>>;
  titles: string[];
  new_titles: string[];
  dates: { say: string; days: number }[];
  times: { say: string; time: string }[];
}

const FILE = new URL('../data/builtin/personas.json', import.meta.url);
const NOW = new Date('2026-11-16T09:00:00Z');
const ZONE = 'UTC';
const TURNS = 8;

/** Acts of a person, and how often each is chosen. */
const ACTS = {
  create: 4,
  create_dated: 4,
  create_two: 2,
  list_open: 1,
  list_due: 1,
  complete: 3,
  complete_two: 1,
  update_date: 2,
  update_time: 1,
  rename: 2,
  delete: 2,
  undo: 1,
  take_back: 1,
  correction_title: 1,
  correction_date: 1,
  off_topic: 1,
  smalltalk: 1,
  question_about_task: 1,
} as const;
type Act = keyof typeof ACTS;

type Random = () => number;

/** A small generator of numbers between 0 and 1 (mulberry32): the same seed gives the same people. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Plays people with a seed and checks the task list against what they meant. */
export async function simulatePeople({ count, seed }: { count: number; seed: number }): Promise<Turn[]> {
  const data: Personas = JSON.parse(readFileSync(FILE, 'utf8').replace(/^#.*\n/, ''));
  const names = Object.keys(data.personas);
  const turns: Turn[] = [];
  for (let index = 0; index < count; index++) {
    const persona = names[index % names.length] ?? '';
    turns.push(...(await playPerson({ persona, data, random: createRandom(seed + index) })));
  }
  return turns;
}

interface Person {
  persona: string;
  data: Personas;
  random: Random;
}

/** The last change: the list before it, and the task that it made. */
interface LastChange {
  before: Tasks;
  isJustMade: boolean;
  made?: Tasks[number] | undefined;
}

async function playPerson(person: Person): Promise<Turn[]> {
  const tools = taskTools();
  const talk = openTalk({ now: NOW, timezone: ZONE, tools });
  const turns: Turn[] = [];
  let last: LastChange | undefined;
  for (let step = 0; step < TURNS; step++) {
    const before = await listTasks(tools, ZONE);
    const plan = planTurn(person, before, last);
    const turn = await playTurn(person, { plan, before, talk, tools });
    turns.push(turn);
    const after = await listTasks(tools, ZONE);
    const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
    if (hasChanged) last = { before, isJustMade: true, made: turn.verdict === 'right' ? plan.made : undefined };
    else if (last) last = { ...last, isJustMade: false };
  }
  return turns;
}

interface Planned {
  act: Act;
  say: string;
  expected: Tasks;
  made?: Tasks[number] | undefined;
  /** Titles and times that the person speaks of. */
  names: string[];
  isYearEnd: boolean;
}

async function playTurn(
  { persona, data, random }: Person,
  { plan, before, talk, tools }: { plan: Planned; before: Tasks; talk: ReturnType<typeof openTalk>; tools: Tool[] },
): Promise<Turn> {
  let reply = await talk.say(plan.say);
  const isAsked = /\?(?: \(yes or no\))?$/.test(reply.text) && /Shall I/.test(reply.text);
  const isChange = JSON.stringify(plan.expected) !== JSON.stringify(before);
  const first = reply.text;
  const choice = isChange ? chooseOffered(reply, plan) : undefined;
  if (choice !== undefined) reply = await talk.say(choice);
  else if (isAsked && isChange) {
    const yes = pick(data.personas[persona]?.delete_confirm_yes ?? ['yes'], random);
    reply = await talk.say(isAboutOthers(first, before, plan.expected) ? 'no' : yes);
  }
  const after = await listTasks(tools, ZONE);
  const judged = (expected: Tasks) =>
    judge({ before, after, expectedBefore: before, expected }, { tasks: expected }, reply);
  const dated = plan.expected.map((task) => (before.includes(task) ? task : { ...task, due: LAST_DAY }));
  const verdict = plan.isYearEnd && judged(dated) === 'right' ? 'right' : judged(plan.expected);
  // A question on the way to a deletion is right; on the way to anything else it costs half.
  const isHalf = verdict === 'right' && isAsked && isChange && plan.act !== 'delete';
  return { conversation: persona, say: plan.say, reply: first, verdict: isHalf ? 'half' : verdict };
}

/** The question names a task that is to stay as it is: nobody says yes to that. */
function isAboutOthers(question: string, before: Tasks, expected: Tasks): boolean {
  const kept = before.filter((task) => expected.some((other) => JSON.stringify(other) === JSON.stringify(task)));
  return kept.some(({ title }) => question.includes(`'${title}'`));
}

/** Of several choices a person takes the one that names only what was meant: a rename rather than a new task. */
function chooseOffered({ intents }: Said, { act, names }: Planned): string | undefined {
  const choices = intents.flatMap((intent) => intent.choices ?? []);
  if (choices.length < 2 || choices.includes('yes')) return undefined;
  const isMeant = (choice: string) => {
    const named = [...choice.matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, single, double]) => single ?? double ?? '');
    return named.length > 0 && named.every((name) => names.includes(name) || choice.startsWith('rename'));
  };
  const verb = act.startsWith('create') ? /^add/ : act === 'correction_title' || act === 'rename' ? /^rename/ : /./;
  return choices.find((choice) => verb.test(choice) && isMeant(choice)) ?? 'no';
}

function pick<T>(items: readonly T[], random: Random): T {
  // An index below the length is always filled.
  return items[Math.floor(random() * items.length)] as T;
}

function planTurn(person: Person, tasks: Tasks, last: LastChange | undefined): Planned {
  const { data, persona, random } = person;
  const open = tasks.filter(({ done }) => !done);
  const act = chooseAct(random, { open: open.length, dated: open.some(({ due }) => due !== null), last });
  const known = new Set(tasks.map(({ title }) => title));
  const fresh = data.titles.filter((title) => !known.has(title));
  const title = pick(fresh, random);
  const [title2, newTitle] = [
    // A person asks for each task once in a sentence.
    pick(
      fresh.filter((other) => other !== title),
      random,
    ),
    pick(
      data.new_titles.filter((name) => !known.has(name)),
      random,
    ),
  ];
  const [date, time] = [pick(data.dates, random), pick(data.times, random)];
  const dated = open.filter(({ due }) => due !== null);
  const [target, other] = shuffle(act === 'update_time' ? dated : open, random);
  const isNew = act.startsWith('create');
  const names = { title: isNew ? title : (target?.title ?? title), title2: isNew ? title2 : (other?.title ?? title2) };
  const fill = { ...names, new_title: newTitle, date: date.say, time: time.say };
  const template = pick(data.personas[persona]?.[act] ?? [''], random);
  const say = template.replace(/\{(\w+)\}/g, (_, name: string) => fill[name as keyof typeof fill] ?? '');
  const meant = { title, title2, newTitle, day: dayAfter(date.days), time: time.time, target, other, last };
  const isYearEnd = act.startsWith('create') && YEAR_END.test(template) && !template.includes('{date}');
  return { act, say, names: Object.values(fill), isYearEnd, ...expect(act, tasks, meant) };
}

/** Words that name the last day of the year: a task with and without that day is what the person means. */
const YEAR_END = /\byear (?:is over|end)\b/;
const LAST_DAY = '2026-12-31';

function chooseAct(random: Random, state: { open: number; dated: boolean; last: LastChange | undefined }): Act {
  const made = state.last?.isJustMade ? state.last.made : undefined;
  const isPossible = (act: Act) => {
    if (/^(?:complete|delete|rename|update_date|question_about_task)$/.test(act)) return state.open > 0;
    if (act === 'complete_two') return state.open > 1;
    if (act === 'update_time') return state.dated;
    if (act === 'undo' || act === 'take_back') return state.last?.isJustMade === true;
    if (act === 'correction_title') return made !== undefined;
    return act === 'correction_date' ? made !== undefined && made.due !== null : true;
  };
  const acts = (Object.keys(ACTS) as Act[]).filter(isPossible);
  return pick(
    acts.flatMap((act) => Array<Act>(ACTS[act]).fill(act)),
    random,
  );
}

interface Meant {
  title: string;
  title2: string;
  newTitle: string;
  day: string;
  time: string;
  target: Tasks[number] | undefined;
  other: Tasks[number] | undefined;
  last: LastChange | undefined;
}

/** The list that the person wants after an act. */
function expect(act: Act, tasks: Tasks, meant: Meant): Pick<Planned, 'expected' | 'made'> {
  const { target, other, last, day } = meant;
  const replace = (task: Tasks[number] | undefined, change: Partial<Tasks[number]>) => ({
    expected: tasks.map((item) => (item === task || item.title === task?.title ? { ...item, ...change } : item)),
  });
  const add = (...made: Tasks) => ({ expected: [...tasks, ...made], ...(made.length === 1 && { made: made[0] }) });
  const fresh = (title: string, due: string | null = null) => ({ id: '', title, due, done: false });
  const time = target?.due?.slice(10) ?? '';
  switch (act) {
    case 'create':
      return add(fresh(meant.title));
    case 'create_dated':
      return add(fresh(meant.title, day));
    case 'create_two':
      return add(fresh(meant.title), fresh(meant.title2));
    case 'complete':
      return replace(target, { done: true });
    case 'complete_two':
      return { expected: tasks.map((item) => (item === target || item === other ? { ...item, done: true } : item)) };
    case 'update_date':
      return replace(target, { due: `${day}${time}` });
    case 'update_time':
      return replace(target, { due: `${target?.due?.slice(0, 10)}T${meant.time}` });
    case 'rename':
      return replace(target, { title: meant.newTitle });
    case 'delete':
      return { expected: tasks.filter((item) => item !== target) };
    case 'undo':
    case 'take_back':
      return { expected: last?.before ?? tasks };
    case 'correction_title':
      return replace(last?.made, { title: meant.newTitle });
    case 'correction_date':
      return replace(last?.made, { due: `${day}${last?.made?.due?.slice(10) ?? ''}` });
    default:
      return { expected: tasks };
  }
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function dayAfter(days: number): string {
  return new Date(NOW.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Prints a table by persona: `npm run eval -- people [conversations] [seed] [--misses]`. */
if (import.meta.main) {
  const [count = '1000', seed = '1'] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const turns = await simulatePeople({ count: Number(count), seed: Number(seed) });
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log('| persona | turns | right | harmless misses | wrong | destructive |\n|---|--:|--:|--:|--:|--:|');
  for (const persona of [...new Set(turns.map(({ conversation }) => conversation)), 'all']) {
    const own = persona === 'all' ? turns : turns.filter(({ conversation }) => conversation === persona);
    const cells = [rightShare(own), shareOf(own, 'miss'), shareOf(own, 'wrong'), shareOf(own, 'destructive')].map(
      percent,
    );
    console.log(`| ${persona} | ${own.length} | ${cells.join(' | ')} |`);
  }
  if (process.argv.includes('--misses'))
    for (const { conversation, say, reply, verdict } of turns)
      if (verdict !== 'right')
        console.log(`${verdict} [${conversation}] ${say} => ${reply.replaceAll('\n', ' / ').slice(0, 140)}`);
}
