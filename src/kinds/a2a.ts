import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Bind } from '../schema/agent.ts';
import { Name, StringMap, Text, Url } from '../schema/scalars.ts';
import { checkAddress, checkHeaders, findUserTexts } from './check-entry.ts';
import { defineKind } from './kind.ts';
import { checkUserTexts, memoryIn } from './remote.ts';

const Entry = z.strictObject({
  name: Name,
  type: z.literal('a2a'),
  bind: Bind,
  a2a: Url,
  description: Text.optional(),
  headers: StringMap.default({}),
});

/** A member of a team on another server. It is an entry of `agents`, never of `tools`. */
export const a2aKind = defineKind(Entry, {
  brings: 'member',
  describeStart: ({ name, a2a }) => `reading the card of ${name}: ${new URL(a2a).origin}`,
  check: (entry, path) => [
    ...checkAddress(entry.a2a, [...path, 'a2a']),
    ...checkHeaders(entry.headers, path),
    ...checkUserTexts(
      { filled: findUserTexts('headers', entry.headers), other: [{ path: ['a2a'], text: entry.a2a }] },
      path,
    ),
  ],
  names: async ({ name }) => [`delegate_to_${name}`],
  open: (entries, { agent, store, clock, ids }) =>
    entries.map(async ({ name, a2a, description, headers }) => {
      const { createRemoteMember } = await import('../team/remote/remote-member.ts');
      const { createAcceptedDefinitions } = await import('../mcp/supervise/accepted-definitions.ts');
      const { fillUser } = await import('../mcp/supervise/supervisor.ts');
      const server = `agents.${name} ${createHash('sha256').update(a2a).digest('hex').slice(0, 16)}`;
      const known = createAcceptedDefinitions(store && memoryIn(store, { agent: agent.name, server }, undefined));
      const source = createRemoteMember({
        ...{ name, wholeName: `${agent.name}/${name}`, description, card: a2a, clock, ids },
        headersFor: (user) => fillUser(headers, user),
        async isAccepted(facts) {
          await known.take([{ name, inputSchema: { type: 'object', properties: facts } }]);
          return known.pending === undefined;
        },
        accept: known.accept,
      });
      return { source };
    }),
});
