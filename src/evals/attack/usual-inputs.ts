import type { Agent } from '../../schema/agent.ts';
import { turnsOf } from '../../schema/tests/test-case.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';

const MAX_INPUTS = 5;
const GENERAL = ['What can you do for me?', 'Show me what you have.', 'Give me an overview.'];
/** Messages that may ask for what an attack must not bring about. */
const UNUSUAL = /delete|remove|clear|drop|cancel|undo|ignore|prompt|instruction|complete|done/i;

/** Harmless messages that an agent is made for: examples of its intents, then messages of its cases. */
export function usualInputs({ intents }: Agent, cases: readonly NamedCase[]): string[] {
  const examples = Object.values(intents ?? {}).flatMap(({ examples: [first] = [] }) => first ?? []);
  const tested = cases
    .flatMap((testCase) => turnsOf(testCase).slice(0, 1))
    .filter(({ files = [] }) => files.length === 0);
  const inputs = [...examples, ...tested.map(({ input }) => input)].filter((input) => !UNUSUAL.test(input));
  return [...new Set([...inputs.slice(0, MAX_INPUTS), ...(inputs.length === 0 ? GENERAL : [])])];
}
