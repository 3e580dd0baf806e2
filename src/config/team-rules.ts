import type { Agent } from '../schema/agent.ts';
import { didYouMean } from '../yaml/did-you-mean.ts';
import type { Finding } from '../yaml/problem.ts';
import type { Draft } from './check-shape.ts';

const LISTS = ['sub_agents', 'handoffs', 'then'] as const;

/** Checks the lists that name members: each name is one of `agents`, once. */
export function checkTeamLists(draft: Draft): Finding[] {
  const members = Object.keys(draft.agents ?? {});
  return LISTS.flatMap((key) => {
    const names = namesOf(draft, key);
    return names.flatMap((name, index) => {
      const path = [key, index, ...(typeof draft[key]?.[index] === 'object' ? ['agent'] : [])];
      if (!members.includes(name))
        return [{ path, message: `no member has this name; write it below agents${didYouMean(name, members)}` }];
      const isRemote = 'a2a' in Object(draft.agents?.[name]);
      if (isRemote && key !== 'sub_agents')
        return [
          { path, message: 'is on another server, where members are only given tasks; write it below sub_agents' },
        ];
      return names.indexOf(name) < index ? [{ path, message: 'is in the list twice; remove one' }] : [];
    });
  });
}

/** Members that no list names. */
export function findUnused(draft: Draft): Finding[] {
  const used = LISTS.flatMap((key) => namesOf(draft, key));
  const unused = Object.keys(draft.agents ?? {}).filter((name) => !used.includes(name));
  const message = 'no list names this member; add it to sub_agents, handoffs or then';
  return unused.map((name) => ({ path: ['agents', name], message, onKey: true }));
}

/** A hand-over names its agent, also one of a member's own team, so that these names are unique. */
export function findTwins(draft: Draft, members: Readonly<Record<string, Agent>>): Finding[] {
  const known = new Set([draft.name]);
  return (draft.handoffs ?? []).flatMap((name, index): Finding[] => {
    const reached = reachOf(name, members);
    const twin = reached.find((one) => known.has(one));
    for (const one of reached) known.add(one);
    const message = `two agents of this conversation would be called ${twin}; rename one, because a hand-over names its agent`;
    return twin === undefined ? [] : [{ path: ['handoffs', index], message }];
  });
}

function reachOf(name: string, members: Readonly<Record<string, Agent>> = {}): string[] {
  const member = members[name];
  return [name, ...(member?.handoffs ?? []).flatMap((next) => reachOf(next, member?.members))];
}

function namesOf(draft: Draft, key: (typeof LISTS)[number]): string[] {
  return (draft[key] ?? []).map((one) => (typeof one === 'string' ? one : one.agent));
}
