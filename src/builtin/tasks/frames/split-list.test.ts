import { describe, expect, it } from 'vitest';
import { openTalk, type Said } from '../../talk-fixture.ts';
import { readTaskList, splitLines } from './split-list.ts';

const added = (said: Said) => said.calls.map((call) => call.arguments.title);

describe('readTaskList', () => {
  it.each([
    ['add tasks: call mom, pay rent', ['call mom', 'pay rent']],
    ['Please add these tasks: call mom, pay rent and buy milk', ['call mom', 'pay rent', 'buy milk']],
    ['todos: buy bread and butter, call mom', ['buy bread and butter', 'call mom']],
    ['add 2 tasks: call mom; buy milk, eggs and flour', ['call mom', 'buy milk, eggs and flour']],
    ['create tasks:\n- call mom\n- buy milk, eggs', ['call mom', 'buy milk, eggs']],
    [
      'add tasks: pay 1,000 to Ann, pay rent on Friday, November 20',
      ['pay 1,000 to Ann', 'pay rent on Friday, November 20'],
    ],
    ['add tasks: "eggs, flour", pay rent', ['"eggs, flour"', 'pay rent']],
    ['create two tasks: "pay the rent" and "call Ann"', ['"pay the rent"', '"call Ann"']],
    ['add 3 things:\n1 water ficus\n2 feed cats\n3 call Elena', ['water ficus', 'feed cats', 'call Elena']],
    ['add task: call mom, dad and Ann', []],
    ['add a task to buy eggs, milk and flour', []],
    ['add tasks: buy bread and butter', []],
    ['show tasks', []],
  ])('%j', (text, titles) => {
    expect(readTaskList(text)).toEqual(titles);
  });
});

describe('splitLines', () => {
  it.each([
    ['add a task to buy eggs\nadd a task to buy flour', ['add a task to buy eggs', 'add a task to buy flour']],
    ['1. remind me to call mom\n\n2. delete milk', ['remind me to call mom', 'delete milk']],
    ['remind me to write to Ann\nabout the rent', ['remind me to write to Ann\nabout the rent']],
  ])('%j', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});

describe('several tasks in one message', () => {
  it.each([
    ['add tasks: call mom, pay rent', ['call mom', 'pay rent']],
    ['add tasks: call mom tomorrow, list the costs', ['call mom', 'list the costs']],
    ['add a task to buy eggs\nadd a task to buy flour', ['buy eggs', 'buy flour']],
    ['remind me to call mom\nremind me to buy milk and eggs', ['call mom', 'buy milk and eggs']],
    ['add a task to buy eggs, milk and flour', ['buy eggs, milk and flour']],
    ['remind me to write to Ann\nabout the rent', ['write to Ann about the rent']],
  ])('%j', async (text, titles) => {
    expect(added(await openTalk().say(text))).toEqual(titles);
  });
});
