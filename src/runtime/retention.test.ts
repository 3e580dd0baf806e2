import { expect, it } from 'vitest';
import { buildAgent } from '../../test/build.ts';
import { auditDays } from './retention.ts';

const keep = (...days: (number | undefined)[]) => auditDays(days.map((audit) => buildAgent({ retention: { audit } })));

it('keeps audit records for the longest time that any agent asks for', () => {
  expect([keep(), keep(30), keep(30, 365), keep(30, undefined)]).toEqual([undefined, 30, 365, undefined]);
});
