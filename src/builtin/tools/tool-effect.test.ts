import { describe, expect, it } from 'vitest';
import { readToolDocument } from './tool-document.ts';
import { effectOf, isFragment, usesVerbOf } from './tool-effect.ts';

const document = (name: string, description: string) =>
  readToolDocument({ name, description, inputSchema: { type: 'object', properties: {} } });

describe('effectOf', () => {
  it.each([
    ['lyrics', 'Lyrics of a song', 'read'],
    ['usage', 'Energy used in a period', 'read'],
    ['next_trains', 'Next trains between two stations', 'read'],
    ['pharmacy_hours', 'Tell the opening hours of a pharmacy', 'read'],
    ['mortgage_payment', 'Work out the monthly payment of a loan', 'read'],
    ['report_absence', 'Tell the school that a pupil is absent', 'write'],
    ['scale_service', 'Change the number of replicas', 'write'],
    ['late_checkout', 'Check out later than usual', 'write'],
    ['delete_note', 'Delete a note', 'remove'],
  ])('of %s, "%s", is %s', (name, description, effect) => {
    expect(effectOf(document(name, description))).toBe(effect);
  });
});

describe('usesVerbOf', () => {
  it.each([
    ['freeze_membership', 'Pause the membership', 'freeze my membership for two months', true],
    ['restart_service', 'Restart a service', 'bounce the billing-api', true],
    ['submit_expense', 'Submit an expense', 'lunch was 63.80, expense it', true],
    ['navigate', 'Start navigation', 'take me to Lake Garda', true],
    ['close_ticket', 'Close a ticket', 'two tickets for the opera', false],
  ])('%s, "%s", by "%s": %s', (name, description, text, isUsed) => {
    expect(usesVerbOf(document(name, description), text)).toBe(isUsed);
  });
});

describe('isFragment', () => {
  it.each([
    ['massage for room 214 tomorrow at 4 pm', true],
    ['10 double sided copies of agenda.docx', true],
    ['print agenda.docx', false],
    ['I printed it', false],
  ])('%s: %s', (text, isOne) => {
    expect(isFragment(text)).toBe(isOne);
  });
});
