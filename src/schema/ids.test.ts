import fc from 'fast-check';
import { decodeTime } from 'ulid';
import { describe, expect, it } from 'vitest';
import { ConversationId, Ulid, Uuid, ulidToUuid, uuidToUlid } from './ids.ts';
import { newUlid } from './new-ulid.ts';
import { comparePositions, formatPosition, type Position, parsePosition } from './position.ts';
import { Timestamp } from './scalars.ts';
import { User } from './user.ts';

const ULID = '01J9Z3V8Q4M5N6P7R8S9T0VWXY';
const UUID = '01927e3d-a2e4-a16c-6b1f-08ca741e3bbe';

describe('Ulid', () => {
  it('is read in any case and kept in upper case', () => {
    expect(Ulid.parse(ULID.toLowerCase())).toBe(ULID);
  });

  it.each([
    '',
    ULID.slice(1),
    `${ULID}0`,
    `8${ULID.slice(1)}`,
    ULID.replace('J', 'I'),
    ULID.replace('J', 'U'),
    UUID,
    1,
  ])('refuses %s', (value) => expect(Ulid.safeParse(value).success).toBe(false));
});

describe('Uuid', () => {
  it('is read in any case, with any version bits, and kept in lower case', () => {
    expect(Uuid.parse(UUID.toUpperCase())).toBe(UUID);
    expect(Uuid.parse('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });

  it.each(['', UUID.slice(1), `${UUID}0`, `{${UUID}}`, UUID.replaceAll('-', ''), `g${UUID.slice(1)}`, ULID])(
    'refuses %s',
    (value) => expect(Uuid.safeParse(value).success).toBe(false),
  );
});

describe('ConversationId', () => {
  it('takes a ULID, or a UUID for the same 128 bits', () => {
    expect(ConversationId.parse(ULID.toLowerCase())).toBe(ULID);
    expect(ConversationId.parse(ulidToUuid(ULID).toUpperCase())).toBe(ULID);
  });

  it.each(['', 'latest', `${ULID} `, `${UUID}\n`, '../x'])('refuses %j', (value) => {
    expect(ConversationId.safeParse(value).error?.issues[0]?.message).toBe('must be a ULID or a UUID');
  });
});

describe('uuidToUlid and ulidToUuid', () => {
  const hex = fc.integer({ min: 0, max: 15 }).map((digit) => digit.toString(16));
  const uuid = fc
    .array(hex, { minLength: 32, maxLength: 32 })
    .map((digits) => digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));

  it('lead back to every UUID, through a valid ULID that sorts like it', () => {
    fc.assert(
      fc.property(uuid, uuid, (one, other) => {
        const ids = [uuidToUlid(one), uuidToUlid(other)] as const;
        expect(ids.map(ulidToUuid)).toEqual([one, other]);
        expect(ids.map((id) => Ulid.parse(id))).toEqual(ids);
        expect(ids[0] < ids[1]).toBe(one < other);
      }),
    );
  });
});

describe('newUlid', () => {
  it('makes ids that are valid and differ', () => {
    const ids = Array.from({ length: 1000 }, newUlid);
    expect(ids.map((id) => Ulid.parse(id))).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
  });

  it('begins with the time, and takes every letter in every other place', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5000 }, newUlid);
    for (const id of ids) expect(decodeTime(id)).toBeGreaterThanOrEqual(before);
    expect(decodeTime(ids.at(-1) ?? '')).toBeLessThanOrEqual(Date.now());
    for (let at = 10; at < 26; at++) expect(new Set(ids.map((id) => id[at])).size).toBe(32);
  });
});

const turn = '01J9Z3V8Q4M5N6P7R8S9T0VWXY';
const count = fc.integer({ min: 0, max: 999_999_999 });
const position: fc.Arbitrary<Position> = fc.record({
  turn: fc.constant(turn),
  attempt: count,
  seq: count,
  offset: fc.integer({ min: 0, max: 999_999_999_999 }),
});

describe('formatPosition and parsePosition', () => {
  it('round-trip every position, and never give two of them the same name', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(parsePosition(formatPosition(a))).toEqual(a);
        expect(formatPosition(a) === formatPosition(b)).toBe(comparePositions(a, b) === 0);
      }),
    );
  });

  it.each([
    '',
    turn,
    `${turn}.1.2`,
    `${turn}.1.2.3.4`,
    `${turn}.-1.2.3`,
    `${turn}.1.2.x`,
    `x.1.2.3`,
    `${turn}.1.2.3\n`,
    `${turn}.1e3.2.3`,
  ])('refuses %j', (text) =>
    expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  );
});

describe('comparePositions', () => {
  it('orders by attempt, then by event, then by text', () => {
    const ordered = [
      { attempt: 1, seq: 2, offset: 9 },
      { attempt: 1, seq: 10, offset: 0 },
      { attempt: 1, seq: 10, offset: 1 },
      { attempt: 2, seq: 0, offset: 0 },
    ];
    expect([...ordered].reverse().sort(comparePositions)).toEqual(ordered);
  });
});

describe('Timestamp', () => {
  it.each(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00-05:00'])('takes %s', (text) => {
    expect(Timestamp.parse(text)).toBe(text);
  });

  it.each(['2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', 'now', 0])('refuses %s', (text) => {
    expect(Timestamp.safeParse(text).success).toBe(false);
  });
});

describe('User', () => {
  it('has an id in lower case, and may have a name and a time zone', () => {
    const user = { id: 'AAAAAAAA-1111-4111-8111-111111111111', name: 'Ada', timezone: 'Europe/Berlin' };
    expect(User.parse(user)).toEqual({ ...user, id: user.id.toLowerCase() });
  });

  it.each([{}, { id: 'ada' }, { id: null }, { id: '11111111-1111-4111-8111-111111111111', role: 'admin' }])(
    'refuses %j',
    (value) => expect(User.safeParse(value).success).toBe(false),
  );
});
