import { type Conversation, readConversations, rightShare, scoreConversations, shareOf } from './eval-conversations.ts';
import { scoreEffect } from './eval-effect.ts';
import { scoreOutside } from './eval-outside.ts';

/**
 * Prints the numbers of outside sets, and with --misses every missed turn with its conversation so far.
 * With --offers it also plays them with each offer taken before the next turn.
 * Usage: npm run eval -- misses [--misses] [--offers] 2026-11-17c …
 */
const showMisses = process.argv.includes('--misses');
const takesOffers = process.argv.includes('--offers');
const sets = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const set of sets) {
  await printConversations(set);
  await printSentences(set);
}

async function printConversations(set: string): Promise<void> {
  const conversations = readConversations(set);
  const turns = await scoreConversations(conversations);
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  if (showMisses) for (const conversation of conversations) printMisses(conversation, turns);
  console.log(
    `${set}: ${turns.length} turns, right ${percent(rightShare(turns))} (half ${percent(shareOf(turns, 'half'))}), ` +
      `wrong ${percent(shareOf(turns, 'wrong', 'destructive'))} (${turns.filter(({ verdict }) => verdict === 'wrong').length}), ` +
      `destructive ${turns.filter(({ verdict }) => verdict === 'destructive').length}`,
  );
  if (!takesOffers) return;
  const taken = await scoreConversations(conversations, { takesOffers });
  console.log(
    `  where each offer is taken before the next turn: right ${percent(rightShare(taken))} (half ${percent(shareOf(taken, 'half'))}), ` +
      `wrong ${percent(shareOf(taken, 'wrong', 'destructive'))}, destructive ${taken.filter(({ verdict }) => verdict === 'destructive').length}`,
  );
}

type Tasks = Conversation['turns'][number]['expect']['tasks'];

function printMisses({ name, now, turns }: Conversation, played: Awaited<ReturnType<typeof scoreConversations>>): void {
  const mine = played.filter(({ conversation }) => conversation === name);
  console.log(`\n=== ${name} ${now}`);
  let before: Tasks = [];
  for (const [index, { say, expect }] of turns.entries()) {
    const { verdict, reply } = mine[index] ?? { verdict: 'right', reply: '' };
    const isRight = verdict === 'right';
    console.log(
      `${isRight ? '   ' : verdict.toUpperCase()} > ${say}   [${reply.replaceAll('\n', ' / ').slice(0, isRight ? 90 : 400)}]`,
    );
    if (!isRight) console.log(`        expected ${describe(before, expect)}`);
    before = expect.tasks;
  }
}

function describe(before: Tasks, { tasks, must, also_ok }: Conversation['turns'][number]['expect']): string {
  const text = (task: Tasks[number]) => `${task.title}|${task.due ?? ''}|${task.done ? 'done' : 'open'}`;
  const [old, fresh] = [before.map(text), tasks.map(text)];
  const added = fresh.filter((task) => !old.includes(task)).map((task) => `+${task}`);
  const removed = old.filter((task) => !fresh.includes(task)).map((task) => `-${task}`);
  return [...removed, ...added, must ?? '', also_ok ?? ''].filter(Boolean).join('  ');
}

async function printSentences(set: string): Promise<void> {
  const { count, intents, slots, misses } = scoreOutside(set);
  if (count === 0) return;
  const effect = await scoreEffect(set);
  if (showMisses) console.log([...misses, ...effect.misses].join('\n'));
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(
    `${set}: ${count} sentences, intents ${percent(intents)}, slots ${percent(slots)}, effect ${percent(effect.right)}`,
  );
}
