import { expect, it } from 'vitest';
import { openTalk } from './talk-fixture.ts';

/** A newcomer's first conversation: messages and what the answer must show. */
const TURNS: readonly (readonly [string, RegExp])[] = [
  ['hey there', /^Hello!/],
  ['what can you actually do?', /^I keep your task list/],
  [
    "ok so I've got to drop the car at the garage on thursday morning",
    /'drop the car at the garage'.*tomorrow.*morning/,
  ],
  ['oh and pick up the dry cleaning after work tomorrow', /'pick up the dry cleaning'.*tomorrow.*after work/],
  [
    "also need to email Priya the budget numbers by friday noon, that one's urgent",
    /'email Priya the budget numbers'.*Fri 20 Nov at 12:00.*left out: that one's urgent/,
  ],
  ["what's on my plate?", /^You have 3 tasks/],
  ['actually make the garage thing friday instead', /'drop the car at the garage', due Fri 20 Nov/],
  ["what's the most important one?", /^You have 3 open tasks/],
  ['I already did the dry cleaning', /marked 'pick up the dry cleaning' as done/],
  [
    'put together a shopping list: eggs, oat milk, and a birthday card for Sam',
    /added 'eggs'.*added 'oat milk'.*added 'a birthday card for Sam'/,
  ],
  ["what's left for tomorrow?", /^Nothing is due tomorrow/],
  ['push the email to Priya back by two days', /'email Priya the budget numbers', due Sun 22 Nov at 12:00/],
  ['undo that', /changed it back to 'email Priya the budget numbers' \(due Fri 20 Nov at 12:00\)/],
  ['which ones have no date?', /^You have 3 open tasks without a date/],
  [
    'book dentist for the 3rd of december at 4:30pm and remind me the day before',
    /added 'book dentist' to your tasks, due Thu 3 Dec at 16:30\. I left out: remind me the day before/,
  ],
  [
    'rename "birthday card for Sam" to "birthday card and balloons for Sam"',
    /updated 'birthday card and balloons for Sam'/,
  ],
  ['wait, how many things did I finish today?', /^You have 1 completed task from today/],
  ['who won the world cup in 2018?', /^I can only help/],
  ['delete everything about eggs', /^Shall I delete 1 task: 'eggs'\?/],
  ['do i have anything to do next week?', /^Nothing is due next week/],
  ['can you repeat the car one every 6 months?', /^I can't repeat a task/],
  ['i bought everything on the shopping list', /^Shall I mark 6 open tasks as done: .*\(yes or no\)$/],
  ['tell me a joke', /^I can only help/],
  [
    'show me everything including the done stuff',
    /^You have 7 tasks:.*6\. birthday card and balloons for Sam 7\. pick up the dry cleaning \(due tomorrow, done\)$/,
  ],
  ["thanks, that's all, bye", /^You're welcome/],
];

it("answers a newcomer's first conversation", async () => {
  const { say } = openTalk({ now: new Date('2026-11-18T10:00:00Z'), timezone: 'Europe/London' });
  for (const [message, answer] of TURNS) expect((await say(message)).text.replaceAll('\n', ' ')).toMatch(answer);
});
