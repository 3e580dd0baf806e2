import * as z from 'zod';
import { MAX_FILES } from '../conversation/chat.ts';
import { TurnStatus } from '../conversation/turn.ts';
import { isObject, Json, JsonObject, lazyStrict } from '../json.ts';
import { isTimeZone, Text, Timestamp, Url } from '../scalars.ts';
import { Metric } from './evaluation.ts';

const Fuzzy = z.lazy(() => z.strictObject({ fuzzy: z.string() }));
const Regex = z.lazy(() => z.strictObject({ regex: z.string().refine(isPattern, 'must be a regular expression') }));
/** A value, or the rule for one: similar to a text, or matching a regular expression as a whole. */
const Literal = z.lazy(() =>
  Json.refine(
    (value) => !isObject(value) || !('fuzzy' in value || 'regex' in value),
    'a matcher has either fuzzy or regex, with a text, and no other key',
  ),
);
export const Matcher = z.lazy(() => z.union([Fuzzy, Regex, Literal]));
export type Matcher = z.infer<typeof Matcher>;

const ExpectedTool = z.lazy(() =>
  z.union([
    Text,
    z.strictObject({
      name: Text,
      args: z.record(z.string(), Matcher).optional(),
      /** The least number of matching calls. */
      count: z.number().int().min(1).default(1),
    }),
  ]),
);
export type ExpectedTool = z.infer<typeof ExpectedTool>;

/** A text that the answer contains in any case, or an expression that matches some part of it. */
const Phrase = z.lazy(() => z.union([Text, Regex]));
export type Phrase = z.infer<typeof Phrase>;

const FileInput = z.lazy(() =>
  z
    .strictObject({
      path: Text.optional(),
      url: Url.optional(),
      type: z.enum(['image', 'pdf', 'text', 'excel', 'word', 'powerpoint', 'csv']),
      description: Text.optional(),
      pages: z.array(z.number().int().positive()).optional(),
      sheet: Text.optional(),
      range: Text.optional(),
      cache: z.boolean().optional(),
    })
    .refine((file) => (file.path === undefined) !== (file.url === undefined), 'needs exactly one of path and url'),
);
export type FileInput = z.infer<typeof FileInput>;

const ExpectedTask = z.lazy(() =>
  z.union([
    Text,
    z.strictObject({
      title: Matcher.optional(),
      description: Matcher.optional(),
      due_date: Matcher.optional(),
      is_completed: z.boolean().optional(),
    }),
  ]),
);
export type ExpectedTask = z.infer<typeof ExpectedTask>;

const Domains = z.lazy(() => z.array(Text));
const ExpectedRouting = z.lazy(() =>
  z.union([
    Domains,
    z.strictObject({
      domains: Domains.optional(),
      clarification_needed: z.boolean().optional(),
      out_of_scope: z.boolean().optional(),
      ambiguity_detected: z.boolean().optional(),
    }),
  ]),
);

const CaseLimits = lazyStrict(() => ({
  steps: z.number().int().nonnegative().optional(),
  tool_calls: z.number().int().nonnegative().optional(),
  tokens: z.number().int().nonnegative().optional(),
  seconds: z.number().positive().optional(),
  cost: z.number().nonnegative().optional(),
}));

/** Expectations of one turn, besides its tools and its text. */
const expectations = () => ({
  expected_tools: z.array(ExpectedTool).optional(),
  forbidden_tools: z.array(Text).optional(),
  ground_truth: Text.optional(),
  expected_content: z.array(Phrase).optional(),
  forbidden_content: z.array(Phrase).optional(),
  expected_status: TurnStatus.optional(),
  expected_intent: z.union([Text, z.array(Text)]).optional(),
  expected_routing: ExpectedRouting.optional(),
  expected_sources: z.array(Text).optional(),
  expected_confidence: z.enum(['high', 'medium', 'low', 'none']).optional(),
  checked_figures: z.union([z.boolean(), z.array(Text)]).optional(),
  expected_approvals: z.array(Text).optional(),
  agents: z.array(Text).optional(),
  delegations: z.array(Text).optional(),
  expected_tasks: z.array(ExpectedTask).optional(),
  limits: CaseLimits.optional(),
});

const turnInput = () => ({
  files: z.array(FileInput).max(MAX_FILES, `must be at most ${MAX_FILES} files`).optional(),
  /** The answer to every approval that the turn asks for. */
  approve: z.boolean().default(false),
  user: Text.optional(),
  retrieval_context: z.array(Text).optional(),
  turn_config: JsonObject.optional(),
});

export const TestTurn = lazyStrict(() => ({
  ...turnInput(),
  ...expectations(),
  input: Text,
  evaluations: z.array(Metric).optional(),
}));
export type TestTurn = z.infer<typeof TestTurn>;

const Now = z.lazy(() => Timestamp.or(z.iso.date()));

export const TestCase = z.lazy(() =>
  z
    .strictObject({
      ...turnInput(),
      ...expectations(),
      name: Text.optional(),
      input: Text.optional(),
      turns: z.array(TestTurn).min(1, 'must have at least one turn').optional(),
      evaluations: z.array(Metric).optional(),
      now: Now.optional(),
      timezone: z
        .string()
        .refine((zone) => isTimeZone(zone), 'must be a time zone such as Europe/Berlin')
        .optional(),
      repeat: z.number().int().min(1).max(1_000).optional(),
      pass_rate: z.number().gt(0).max(1).optional(),
    })
    .superRefine((testCase, context) => {
      const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
      if (testCase.turns === undefined && testCase.input === undefined) say('input', 'is missing; or give turns');
      if (testCase.turns === undefined) return;
      for (const key of OF_TURNS) if (testCase[key] !== undefined) say(key, 'belongs to the turns; move it there');
      if (testCase.approve) say('approve', 'belongs to the turns; move it there');
    }),
);
export type TestCase = z.infer<typeof TestCase>;

/** Keys that a case with `turns` has in its turns only. */
const OF_TURNS = [
  'input',
  'files',
  'user',
  'retrieval_context',
  'turn_config',
  'expected_tools',
  'ground_truth',
  'expected_content',
  'expected_status',
  'expected_intent',
  'expected_routing',
  'expected_sources',
  'expected_confidence',
  'checked_figures',
  'expected_approvals',
  'agents',
  'delegations',
  'limits',
] as const;

/** A `test_cases_file`: the cases, with a time and a zone for those that set none. */
export const TestCaseFile = lazyStrict(() => ({
  now: Now.optional(),
  timezone: TestCase.unwrap().shape.timezone,
  test_cases: z.array(TestCase),
}));

/** The case's turns, whichever way they are written. What the case itself forbids holds in every turn. */
export function turnsOf({ turns, expected_tasks, ...testCase }: TestCase): TestTurn[] {
  const { name, now, timezone, repeat, pass_rate, evaluations, input = '', ...rest } = testCase;
  if (!turns) return [{ ...rest, ...(expected_tasks && { expected_tasks }), input }];
  const { forbidden_tools = [], forbidden_content = [] } = testCase;
  return turns.map((turn, index) => ({
    ...turn,
    forbidden_tools: [...forbidden_tools, ...(turn.forbidden_tools ?? [])],
    forbidden_content: [...forbidden_content, ...(turn.forbidden_content ?? [])],
    ...(expected_tasks && index === turns.length - 1 && { expected_tasks }),
  }));
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
