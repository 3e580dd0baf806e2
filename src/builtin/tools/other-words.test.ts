import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { createBuiltinModel } from '../builtin-model.ts';
import { openTalk } from '../talk-fixture.ts';

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
