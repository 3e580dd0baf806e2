import { didYouMean } from '../yaml/did-you-mean.ts';
import type { Finding } from '../yaml/problem.ts';
import type { Draft } from './check-shape.ts';

const LISTS = ['sub_agents', 'handoffs', 'then'] as const;

/**
 * Lists without an engine: refused, and in no schema for editors. Remove a row when its engine exists,
 * and add its texts to `key-texts.ts`.
 */
export const NOT_BUILT: readonly (readonly [(typeof LISTS)[number], string])[] = [
  ['handoffs', 'hand-over between members is not built; use sub_agents'],
  ['then', 'members that check each answer are not built; use sub_agents'],
];

/** Checks the lists that name members: each name is one of `agents`, once. */
export function checkTeamLists(draft: Draft): Finding[] {
  const members = Object.keys(draft.agents ?? {});
  const missing = NOT_BUILT.filter(([key]) => draft[key] !== undefined);
  const findings = LISTS.flatMap((key) => {
    const names = namesOf(draft, key);
    return names.flatMap((name, index) => {
      const path = [key, index, ...(typeof draft[key]?.[index] === 'object' ? ['agent'] : [])];
      if (!members.includes(name))
        return [{ path, message: `no member has this name; write it below agents${didYouMean(name, members)}` }];
      return names.indexOf(name) < index ? [{ path, message: 'is in the list twice; remove one' }] : [];
    });
  });
  return [...missing.map(([key, message]) => ({ path: [key], message, onKey: true })), ...findings];
}

/** Members that no list names. */
export function findUnused(draft: Draft): Finding[] {
  const used = LISTS.flatMap((key) => namesOf(draft, key));
  const unused = Object.keys(draft.agents ?? {}).filter((name) => !used.includes(name));
  const message = 'no list names this member; add it to sub_agents';
  return unused.map((name) => ({ path: ['agents', name], message, onKey: true }));
}

function namesOf(draft: Draft, key: (typeof LISTS)[number]): string[] {
  return (draft[key] ?? []).map((one) => (typeof one === 'string' ? one : one.agent));
}
