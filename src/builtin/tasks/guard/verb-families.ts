import { isActionVerb } from '../../../language/action-verbs.ts';
import { stem } from '../../../language/words.ts';

/** The verbs that report an errand as done, by the verb of its title: "got the milk" for "buy milk". Each reports itself. */
const REPORTED_BY: Readonly<Record<string, string>> = {
  buy: 'get purchase grab pick',
  get: 'buy pick collect grab fetch',
  pick: 'collect get fetch',
  collect: 'pick get fetch',
  grab: 'get buy pick',
  fetch: 'get collect pick',
  call: 'ring phone telephone',
  ring: 'call phone telephone',
  phone: 'call ring telephone',
  telephone: 'call ring phone',
  send: 'post mail email',
  post: 'send mail',
  mail: 'send post',
  fix: 'repair mend',
  repair: 'fix mend',
  mend: 'fix repair',
  book: 'reserve',
  reserve: 'book',
  file: 'submit',
  submit: 'hand turn send file',
  hand: 'submit turn',
  turn: 'submit hand',
  return: 'take bring give hand',
  put: 'take',
  take: 'put',
};
/** Verbs that report another errand only with a particle: "handed in", "gave back", "took out". */
const NEEDS_PARTICLE = new Set('pick hand turn send take bring give put'.split(' ').map(stem));
const REPORTS = new Map(
  Object.entries(REPORTED_BY).map(([verb, others]) => [stem(verb), new Set(others.split(' ').map(stem))]),
);

/** Errands that move a thing from one to another: the thing may be finished while the errand is not. */
const CARRYING = new Set(
  'buy get order purchase pick collect grab fetch send return mail post deliver present sell give lend bring take email ship apply drop'
    .split(' ')
    .map(stem),
);
/** Errands with something that is finished before them: a report is done before it is sent, and a dishwasher before it is emptied. */
const FINISHED_BEFORE = new Set(
  'send email mail post deliver present submit hand print review proofread discuss empty hang decorate prepare pick collect fetch order serve grade check cancel turn switch'
    .split(' ')
    .map(stem),
);
/** Errands with a person, who may be done with something else. */
const WITH_PERSON = new Set(
  'call ring phone text email pay pick ask tell meet visit see thank invite chase'.split(' ').map(stem),
);
const PERSON = /\s\p{Lu}\p{Ll}+|\b(?:\p{L}{3,}(?:er|or|ist|ian)|mum|mom|dad|kids?|guy|boss|man|woman)$/u;
/** Errands whose object is a person, in any letters: "call bob". */
const TO_PERSON = /^(?:call|ring|phone|telephone|text|ask|tell|meet|visit|thank) (?:the |my |our )?\p{L}+$/iu;
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

/** True if a verb, with its particle, says of this task that it was done. */
export function reports(verb: string, title: string, particle?: string): boolean {
  const [own, said] = [verbOf(title), stem(verb.toLowerCase())];
  if (own === undefined) return false;
  if (own === said) return true;
  return REPORTS.get(own)?.has(said) === true && (particle !== undefined || !NEEDS_PARTICLE.has(said));
}

/** True for errands of which "finished" may be said of the thing: "the milk is finished", "I finished the library book". */
export function movesThing(title: string): boolean {
  const verb = verbOf(title) ?? '';
  return CARRYING.has(verb) || FINISHED_BEFORE.has(verb) || hasPerson(title);
}

/** True for errands of which "is done" may be said of the thing or the person: "the report is done", "the plumber is done". */
export function mayBeDone(title: string): boolean {
  return FINISHED_BEFORE.has(verbOf(title) ?? '') || hasPerson(title);
}

/** True for an errand with a person: "call Bob", "pay the plumber". */
export function hasPerson(title: string): boolean {
  const bare = title.trim().replace(/\s(?:about|for|with|to|from|at)\s.*$/i, '');
  return TO_PERSON.test(bare) || (WITH_PERSON.has(verbOf(title) ?? '') && PERSON.test(bare));
}
