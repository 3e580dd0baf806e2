import { describe, expect, it } from 'vitest';
import { createGroupWriter } from './group-writer.ts';
import type { Link } from './link.ts';

const AWAY = '57P03';
const CONFLICT = '23505';

/** A link whose statements fail with these codes, one after the other, and then succeed; it keeps what was sent. */
function failingLink(codes: readonly string[]) {
  const left = [...codes];
  const sent: { again?: boolean }[][] = [];
  const link = {
    one: async (_text: string, operations: string) => {
      sent.push(JSON.parse(operations));
      const code = left.shift();
      if (code) throw Object.assign(new Error(code), { code });
      return { answers: [{ outcome: 'written' }] };
    },
  } as unknown as Link; // a writer calls nothing else
  return { link, sent };
}

const open = (link: Link, isHeld = () => true) => createGroupWriter({ link, url: 'postgres://127.0.0.1/none', isHeld });

describe('a write', () => {
  it('that conflicts with its own first try, after the database was away for long, is tried again', async () => {
    const { link, sent } = failingLink([...Array<string>(8).fill(AWAY), CONFLICT]);
    expect(await open(link).submit({ name: 'write' })).toEqual({ outcome: 'written' });
    expect(sent.map(([operation]) => operation?.again ?? false)).toEqual([false, ...Array(9).fill(true)]);
  });

  it('that conflicts again and again fails', async () => {
    const { link, sent } = failingLink(Array<string>(20).fill(CONFLICT));
    await expect(open(link).submit({ name: 'write' })).rejects.toMatchObject({ code: 'internal' });
    expect(sent.length).toBeLessThan(10);
  });

  it('is given up when the lease is over, and one that cannot be repeated at once', async () => {
    const lost = failingLink(Array<string>(20).fill(AWAY));
    const unavailable = { code: 'store_unavailable' };
    await expect(open(lost.link, () => false).submit({ name: 'write' })).rejects.toMatchObject(unavailable);
    const single = failingLink([AWAY]);
    await expect(open(single.link).submit({ name: 'deleteConversation' })).rejects.toMatchObject(unavailable);
    expect(single.sent).toHaveLength(1);
  });
});
