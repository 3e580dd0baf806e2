import { describe, expect, it } from 'vitest';
import type { KnownTask } from '../known-task.ts';
import { isSaidPlainly } from './said-plainly.ts';

const task = (title: string): KnownTask => ({ id: title, title, is_completed: false });
const named = (...titles: string[]) => ({ tasks: titles.map(task), known: [] });

describe('a task that is plainly done', () => {
  it.each([
    ['milk is done', 'buy milk'],
    ['Ok, milk done, thanks!', 'buy milk'],
    ['got the milk this morning', 'buy milk'],
    ['I finished buying milk', 'buy milk'],
    ['the rent has finally been paid', 'pay rent'],
    ['could you mark the rent as done?', 'pay rent'],
    ['tick off the rent', 'pay rent'],
    ["I've rung gran, thank god", 'ring gran'],
    ['bins are out', 'take out the bins'],
    ['the oven is clean', 'clean the oven'],
    ['the candles I have bought', 'buy candles'],
    ['had the flu jab', 'flu jab'],
    ['done', 'the report'],
    ['complete task buy milk', 'buy milk'],
    ['the second one is done', 'call Anna'],
    ["that's sorted", 'the report'],
    ['add eggs and tick the rent off', 'pay rent'],
  ])('%s (%s)', (text, title) => {
    expect(isSaidPlainly(text, { kind: 'complete', ...named(title) })).toBe(true);
  });

  it.each([
    ['rent is paid, just kidding', 'pay rent'],
    ['called mum, no answer', 'call mum'],
    ['mum called', 'call mum'],
    ['called off the dentist', 'call the dentist'],
    ['called about John', 'call John'],
    ['paid the rent, it bounced', 'pay rent'],
    ['back then I paid rent', 'pay rent'],
    ['finished his report', 'write the report'],
    ['I want to complete the report', 'write the report'],
    ['the bike was taken', 'return the bike'],
    ['parcel was ordered', 'pick up the parcel'],
    ['can you check it, milk is done?', 'buy milk'],
    ['paid 3 invoices', 'pay invoice 3'],
    ['I finished last', 'the report'],
    ['called Anne', 'call Ann'],
    ['I finished the milk', 'buy milk'],
    ['rent needs to be paid', 'pay rent'],
    ['is the rent paid', 'pay rent'],
    ['rent is paid?', 'pay rent'],
    ['Sam paid the rent', 'pay rent'],
    ['mark the rent as important', 'pay rent'],
    ['finish report', 'finish report'],
  ])('not: %s (%s)', (text, title) => {
    expect(isSaidPlainly(text, { kind: 'complete', ...named(title) })).toBe(false);
  });

  it('several at once, together or clause by clause', () => {
    const deed = { kind: 'complete', ...named('buy milk', 'call the plumber') } as const;
    expect(isSaidPlainly('milk and plumber are done', deed)).toBe(true);
    expect(isSaidPlainly('plumber done, got the milk', deed)).toBe(true);
    expect(isSaidPlainly('milk done, plumber never came', deed)).toBe(false);
  });
});

describe('a task that is plainly to go', () => {
  it.each([
    ['delete the milk', 'buy milk'],
    ['delete the task buy milk', 'buy milk'],
    ['remove the item: milk', 'buy milk'],
    ['please take milk off my list', 'buy milk'],
    ['bin the DJ one', 'call the DJ'],
    ["I don't need the milk any more", 'buy milk'],
    ['remove it', 'the report'],
    ['delete buy milk, please?', 'buy milk'],
  ])('%s (%s)', (text, title) => {
    expect(isSaidPlainly(text, { kind: 'delete', ...named(title) })).toBe(true);
  });

  it.each([
    ['bin it', 'the report'],
    ['scrap the car', 'sell the car'],
    ['delete milk, provided Anna buys some', 'buy milk'],
    ['delete milk. I changed my mind again', 'buy milk'],
    ['I want to remove the wallpaper', 'wallpaper'],
    ['delete the test cases one', 'update test cases for the shop'],
    ['someday, delete the milk', 'buy milk'],
    ['delete milk, she joked', 'buy milk'],
    ['delete milk, should I', 'buy milk'],
    ['delete 3 tasks', 'the report'],
    ['delete the task milk run', 'buy milk'],
    ['kill it', 'the report'],
    ['cancel the gym membership', 'cancel gym membership'],
    ['cancel the gym', 'cancel gym membership'],
    ['drop Anna off', 'visit Anna'],
    ['delete milk, he said', 'buy milk'],
    ['delete milk, no wait', 'buy milk'],
    ['delete milk when we have some', 'buy milk'],
    ["I don't need the milk today", 'buy milk'],
    ['delete milk?', 'buy milk'],
  ])('not: %s (%s)', (text, title) => {
    expect(isSaidPlainly(text, { kind: 'delete', ...named(title) })).toBe(false);
  });
});

describe('a name that is plainly given', () => {
  it.each([
    ['rename milk to oat milk', 'buy milk', 'oat milk'],
    ['change the title of milk to buy oat milk', 'buy milk', 'buy oat milk'],
    ['Rename it to "buy oat milk" instead.', 'buy milk', 'buy oat milk'],
    ['no, buy oat milk', 'buy milk', 'buy oat milk'],
    ['not flowers, chocolate', 'buy flowers', 'buy chocolate'],
    ['no, Petra', 'call Peter', 'call Petra'],
  ])('%s (%s)', (text, old, title) => {
    expect(isSaidPlainly(text, { kind: 'rename', task: task(old), title })).toBe(true);
  });

  it.each([
    ['make it urgent', 'book flights', 'book urgent'],
    ['call boiler engineer', 'boiler', 'engineer'],
    ['rename eggs to bread, no wait', 'eggs', 'bread, no wait'],
    ['milk instead of eggs', 'milk', 'eggs'],
    ['it is not oat milk', 'buy milk', 'buy oat milk'],
    ['should it be oat milk', 'buy milk', 'oat milk'],
    ['sorry, dinner', 'buy milk', 'buy dinner'],
    ['make Bob a cake', 'call Bob', 'call cake'],
    ['rename it back', 'plan trip', 'back'],
    ['rename it to what it was', 'plan trip', 'what it was'],
    ['make that one repeat every month', 'plan trip', 'plan trip every month'],
    ["there's a song called pay rent is done", 'pay rent', 'done'],
  ])('not: %s (%s)', (text, old, title) => {
    expect(isSaidPlainly(text, { kind: 'rename', task: task(old), title })).toBe(false);
  });
});

describe('what is plainly taken back', () => {
  it.each([
    'undo',
    'Oops, undo that please',
    'scratch that',
    'never mind',
    'actually, take it back',
    "no, don't add it",
  ])('%s', (text) => {
    expect(isSaidPlainly(text, { kind: 'undo' })).toBe(true);
  });

  it.each([
    "don't delete it",
    'undo my laces',
    'take it back to the shop',
    'Anna said scratch that',
    'undo?',
    'go back',
  ])('not: %s', (text) => {
    expect(isSaidPlainly(text, { kind: 'undo' })).toBe(false);
  });
});
