import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../../language/word-vectors.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { createBuiltinModel } from '../builtin-model.ts';
import { openTalk } from '../talk-fixture.ts';
import { spellOut } from './choose-tool.ts';
import { isStatement, requestOf } from './statement.ts';
import { readToolDocument } from './tool-document.ts';
import { effectOf, isFragment, usesVerbOf } from './tool-effect.ts';

const document = readToolDocument({
  name: 'get_weather',
  description: 'Show the weather forecast of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
});

describe('spellOut', () => {
  it.each([
    ['whats the wheather in Oslo tmrw', "what's the weather in Oslo tomorrow"],
    ['forcast for Oslo pls', 'forecast for Oslo please'],
    ['a word that is right stays: whether', 'a word that is right stays: whether'],
    ['forecasts are no typo', 'forecasts are no typo'],
    ['a quote stays: "wheather pls"', 'a quote stays: "wheather pls"'],
    ['so do paths: /wheather/pls.txt', 'so do paths: /wheather/pls.txt'],
  ])('%s', (said, text) => {
    expect(spellOut(said, [document], loadWordVectors())).toBe(text);
  });
});

const text = (description = '') => ({ type: 'string', description });
const whole = (description = '') => ({ type: 'integer', description });
const tool = (name: string, description: string, properties: JsonObject): Tool => ({
  name,
  description,
  source: 'test',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  run: async () => ({ result: 'Done.' }),
});
const environment = { type: 'string', enum: ['production', 'staging'], description: 'Where it runs' };
const TOOLS = [
  tool('restart_service', 'Restart a running service.', { service: text('Service name'), environment }),
  tool('resize_disk', 'Change the disk size of a server.', { server: text('Host name'), size_gb: whole('Size in GB') }),
  tool('rollback', 'Put an earlier version back.', { service: text('Service'), version: text('Version to return to') }),
  tool('assign_reviewer', 'Ask a person to review a change.', { number: whole('Change number'), user: text() }),
  tool('visa_rules', 'Entry requirements of a country.', { nationality: text(), country: text() }),
  tool('rent_car', 'Reserve a rental car.', { city: text('City'), start: text('Date, YYYY-MM-DD'), days: whole() }),
  tool('pay_parking', 'Pay for a parking space.', { zone: text('Zone letter'), minutes: whole('Minutes') }),
  tool('order_prescription', 'Order a repeat prescription.', { medicine: text('Name of the medicine') }),
  tool('exam_result', 'The grade in a course.', { course: text() }),
  tool('set_light', 'Switch the light of a room.', { room: text(), on: { type: 'boolean' } }),
];
const say = (words: string) =>
  openTalk({ model: createBuiltinModel({ agent: { intents: {} } }), tools: TOOLS }).say(words);

describe('a request in other words than the tool', () => {
  it.each<[string, string, JsonObject]>([
    ['have Oskar look over 731', 'assign_reviewer', { number: 731, user: 'Oskar' }],
    ['hav Oskar reviw 731 pls', 'assign_reviewer', { number: 731, user: 'Oskar' }],
    ['what papers does a Dane need for Brazil?', 'visa_rules', { nationality: 'Dane', country: 'Brazil' }],
  ])('is a call: %s', async (words, name, args) => {
    expect((await say(words)).calls).toEqual([{ name, arguments: args }]);
  });

  it.each([
    'billing hangs on staging',
    'web-12 is almost full',
    'have fun in Palermo for five days from the 20th',
    'I am in zone C and will need two hours',
    'leave web-12 at 250 gigs',
    'nobody should restart billing on staging',
    'why did you put mailer back to v3.7?',
    'order a new lamp for the bedroom',
    'sign me up for the exam in Linear Algebra 2',
    'make me an appointment for an eye test',
  ])('is no call where it only states, forbids or wants something else: %s', async (words) => {
    expect((await say(words)).calls).toEqual([]);
  });
});

describe('isStatement', () => {
  it.each([
    'I paid the fine BX-7719, 35 euros',
    'Anna booked spinning on Thursday at 18:30',
    'the front door was unlocked all night',
    'order 40021 was refunded last week',
    'billing-api restarted itself on staging again',
    'my neighbour has the green tariff',
    'I might send Oliver 250 pounds one day',
  ])('is true for: %s', (text) => {
    expect(isStatement(text)).toBe(true);
  });

  it.each([
    'pay the fine BX-7719',
    'my card was stolen, block it',
    'the kids are asleep, lights off in the nursery',
    'lunch was 63.80, expense it',
    'the boots are too small, I want to return them',
    'KX-771 should cost 19.90',
    "I'd like 3 copies",
    'massage for room 214 tomorrow',
  ])('is false for: %s', (text) => {
    expect(isStatement(text)).toBe(false);
  });
});

describe('requestOf', () => {
  it.each([
    ['the mailer hangs again, restart it please', 'restart it please'],
    ['search is slow today. go back to v3.1', 'go back to v3.1'],
    ['movie time! dim the lounge to 10, my eyes hurt', 'dim the lounge to 10,'],
    ['what is the weather in Rome', 'what is the weather in Rome'],
    ['two tickets for tomorrow, row 3', 'two tickets for tomorrow, row 3'],
  ])('leaves out the remarks of: %s', (text, request) => {
    expect(requestOf(text)).toBe(request);
  });
});

describe('tool effect', () => {
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
});
