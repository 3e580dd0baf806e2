import { isActionVerb } from '../../../language/action-verbs.ts';
import { stem } from '../../../language/words.ts';

/** Verbs that report the same errand as done: "got the milk" for "buy milk". */
const FAMILIES = [
  'buy get order purchase pick collect grab fetch',
  'call ring phone telephone',
  'send mail post email ship deliver',
  'return take bring give hand drop',
  'pay settle transfer',
  'write draft finish',
  'clean wash scrub wipe hoover vacuum mop tidy',
  'fix repair mend',
  'book reserve arrange schedule make',
  'submit hand turn send file',
  'put take bring',
].map((verbs) => new Set(verbs.split(' ').map(stem)));

const GETTING = new Set('buy get order purchase pick collect grab fetch'.split(' ').map(stem));
const PARTICLES = new Set('up out off down back in over away on'.split(' '));

export function isParticle(word: string): boolean {
  return PARTICLES.has(word);
}

/** The verb that a title begins with, as a stem. */
export function verbOf(title: string): string | undefined {
  const [first = '', second] = title.trim().toLowerCase().split(/\s+/);
  return second !== undefined && isActionVerb(first) ? stem(first) : undefined;
}

/** The particle of the verb of a title: "out" of "take out the bins" and of "put the bins out". */
export function particleOf(title: string): string | undefined {
  const words = title.trim().toLowerCase().split(/\s+/);
  return [words[1], words.at(-1)].find((word) => word !== undefined && PARTICLES.has(word));
}

/** True if a verb says of this task that it was done. */
export function reports(verb: string, title: string): boolean {
  const [own, said] = [verbOf(title), stem(verb)];
  if (own === undefined) return false;
  return own === said || FAMILIES.some((family) => family.has(own) && family.has(said));
}

/** True for errands that bring something home: "I finished the milk" does not say that it was bought. */
export function isGetting(title: string): boolean {
  return GETTING.has(verbOf(title) ?? '');
}
