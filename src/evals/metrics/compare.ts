import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { type Json, parseJson } from '../../schema/json.ts';
import type { StandardMetric } from '../../schema/tests/evaluation.ts';
import type { ExpectedTool } from '../../schema/tests/test-case.ts';
import { createValidator } from '../../tools/validate.ts';
import { testPattern } from '../expect/match-value.ts';

/** Measures that are 0 or 1. A text is the reason why the answer does not pass. */
export type Verdict = true | string;

type Flags = Pick<StandardMetric, 'case_insensitive' | 'strip_whitespace' | 'strip_punctuation'>;

export function isEqual(answer: string, expected: string, flags: Flags): Verdict {
  const form = (text: string) => {
    const plain = flags.strip_punctuation ? text.replace(/[!-/:-@[-`{-~]/g, '') : text;
    const cased = flags.case_insensitive ? plain.toLowerCase() : plain;
    return flags.strip_whitespace ? cased.replace(/\s+/g, ' ').trim() : cased;
  };
  return form(answer) === form(expected) || 'the answer differs';
}

export function contains(answer: string, text: string, { case_insensitive }: Flags): Verdict {
  const form = (value: string) => (case_insensitive ? value.toLowerCase() : value);
  return form(answer).includes(form(text)) || `it does not contain ${JSON.stringify(text)}`;
}

export function matches(answer: string, pattern: string, { case_insensitive }: Flags): Verdict {
  return testPattern(pattern, case_insensitive ? 'iu' : 'u', answer) || `it does not match /${pattern}/`;
}

type Tolerances = Pick<
  StandardMetric,
  'absolute_tolerance' | 'relative_tolerance' | 'accept_percent' | 'accept_thousands_separators'
>;

/** True if some number of the answer is near the expected one. Throws if the expected text is no number. */
export function isNear(answer: string, expected: string, options: Tolerances): Verdict {
  const [wanted, ...others] = readNumbers(expected, options);
  if (wanted === undefined || others.length > 0) throw new Error(`${JSON.stringify(expected)} is not one number`);
  const found = readNumbers(answer, options);
  const near = (value: number) =>
    Math.abs(value - wanted) <= Math.max(options.absolute_tolerance, options.relative_tolerance * Math.abs(wanted));
  return found.some(near) || `${wanted} expected, found ${found.length > 0 ? found.join(', ') : 'no number'}`;
}

function readNumbers(text: string, { accept_percent, accept_thousands_separators }: Tolerances): number[] {
  const plain = accept_thousands_separators ? text.replace(/(?<=\d)[,_\u00a0\u202f](?=\d{3}(?!\d))/g, '') : text;
  return [...plain.matchAll(/(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(%?)/gi)].map(([number, percent]) => {
    const value = Number.parseFloat(number);
    return percent && accept_percent ? value / 100 : value;
  });
}

/** An answer as JSON, also inside a code block; undefined for another text. */
export function readJson(answer: string): Json | undefined {
  return parseJson(/^```(?:json)?\s*([\s\S]*?)```\s*$/.exec(answer.trim())?.[1] ?? answer);
}

export function fitsSchema(answer: string, schema: StandardMetric['schema']): Verdict {
  if (!schema) throw new Error('the measure has no schema');
  const value = readJson(answer);
  if (value === undefined) return 'the answer is no JSON';
  const [problem] = createValidator().check(schema, value);
  return problem === undefined || `${problem.path || 'the value'} ${problem.message}`;
}

/** Compares the names of the calls with the expected ones, each as often as its count. */
export function followsTrajectory(
  calls: readonly ToolCall[],
  expected: readonly ExpectedTool[],
  order: StandardMetric['order'],
): Verdict {
  const wanted = expected.flatMap((tool) =>
    typeof tool === 'string' ? [tool] : new Array<string>(tool.count).fill(tool.name),
  );
  const made = calls.map(({ name }) => name);
  const isHeld = TRAJECTORIES[order](made, wanted);
  return isHeld || `${wanted.join(' → ') || 'no call'} expected, called ${made.join(' → ') || 'nothing'}`;
}

type Trajectory = (made: readonly string[], wanted: readonly string[]) => boolean;

const TRAJECTORIES: Record<StandardMetric['order'], Trajectory> = {
  exact: (made, wanted) =>
    made.length === wanted.length && made.every((name, index) => name.includes(wanted[index] ?? '')),
  in_order(made, wanted) {
    let next = 0;
    for (const name of made) if (next < wanted.length && name.includes(wanted[next] ?? '')) next++;
    return next === wanted.length;
  },
  any_order(made, wanted) {
    const left = [...made];
    return wanted.every((name) => {
      const at = left.findIndex((other) => other.includes(name));
      if (at !== -1) left.splice(at, 1);
      return at !== -1;
    });
  },
};
