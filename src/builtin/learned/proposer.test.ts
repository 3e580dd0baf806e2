import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEARNED_INTENTS, type LearnedIntent, spansOf } from './proposal.ts';
import { createProposer } from './proposer.ts';

const { propose } = createProposer();

function read(text: string): { intent: LearnedIntent; spans: string[] } {
  const { intents, words } = propose(text);
  const intent = LEARNED_INTENTS.reduce((best, name) => (intents[name] > intents[best] ? name : best));
  return { intent, spans: spansOf(text, words).map((span) => `${span.tag}=${span.text}`) };
}

describe('createProposer', () => {
  it('returns probabilities that add up to 1 and a role for every word, for any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (text) => {
        const { intents, words } = propose(text);
        expect(Object.keys(intents)).toEqual([...LEARNED_INTENTS]);
        expect(Object.values(intents).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
        for (const word of words) expect(text.slice(word.start, word.end)).toBe(word.text);
      }),
    );
  });

  it('proposes the same for the same text, from any proposer', () => {
    const text = 'move the dentist to monday';
    expect(createProposer().propose(text)).toEqual(propose(text));
  });

  it.each([
    'pay my credit card bill',
    'transfer 200 euros to Ben',
    'file my taxes',
    'play tennis with Jo',
    'change my password',
    'delete old photos',
  ])('takes the act from the frame, whatever the title is about: %s', (title) => {
    expect(read(`remind me to ${title}`)).toEqual({ intent: 'create', spans: [`title=${title}`] });
    expect(read(`I need to ${title}`).intent).toBe('create');
    expect(read(`put ${title} on my list`)).toEqual({ intent: 'create', spans: [`title=${title}`] });
    expect(read(`mark ${title} as done`)).toEqual({ intent: 'complete', spans: [`ref=${title}`] });
    expect(read(`rename ${title} to plan the week`)).toEqual({
      intent: 'update',
      spans: [`ref=${title}`, 'new=plan the week'],
    });
  });

  it.each([
    ['never mind', 'cancel'],
    ['forget it', 'cancel'],
    ['scratch that', 'cancel'],
    ['drop it', 'cancel'],
    ['bring it back', 'undo'],
    ['undo that', 'undo'],
    ['yes please', 'confirm'],
    ['nope', 'deny'],
    ['please do not remove the milk', 'keep'],
    ["don't delete the report", 'keep'],
    ['reopen the laundry', 'reopen'],
    ['what can you do?', 'help'],
  ] as const)('reads "%s" as %s', (text, intent) => {
    expect(read(text).intent).toBe(intent);
  });

  it('tags the exception apart from what an act is about', () => {
    expect(read('delete everything except the milk')).toEqual({
      intent: 'delete',
      spans: ['filter=everything', 'except=milk'],
    });
    expect(read('complete all but the dentist').spans).toContain('except=dentist');
  });

  it('tags each of several titles', () => {
    expect(read('add milk, eggs and bread to my list')).toEqual({
      intent: 'create',
      spans: ['title=milk', 'separator=,', 'title=eggs', 'separator=and', 'title=bread'],
    });
  });
});
