import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Failure } from '../../schema/tests/run-report.ts';
import type { TestTurn } from '../../schema/tests/test-case.ts';
import { containsPhrase, describeMatcher } from './match-value.ts';
import { type Check, fail, listNames, shorten } from './outcome.ts';

/** Facts of the answer itself: its status, words, intent, routing, sources, confidence and figures. */
export const checkAnswer: Check = ({ turn, result }) => [
  ...checkStatus(turn, result),
  ...checkContent(turn, result),
  ...checkIntent(turn, result),
  ...checkRouting(turn, result),
  ...checkSources(turn, result),
  ...checkFigures(turn, result),
];

function checkStatus({ expected_status }: TestTurn, { status, error, content }: TurnResult): Failure[] {
  const happened = `${status}: ${shorten(error?.message ?? content)}`;
  if (expected_status === undefined) return status === 'error' ? [fail('status', 'an answer', happened)] : [];
  return status === expected_status ? [] : [fail('expected_status', expected_status, happened)];
}

function checkContent({ expected_content = [], forbidden_content = [] }: TestTurn, { content }: TurnResult): Failure[] {
  const missing = expected_content.filter((phrase) => !containsPhrase(phrase, content));
  const present = forbidden_content.filter((phrase) => containsPhrase(phrase, content));
  const answer = `the answer: ${shorten(content)}`;
  return [
    ...missing.map((phrase) => fail('expected_content', describeMatcher(phrase), answer)),
    ...present.map((phrase) => fail('forbidden_content', `no ${describeMatcher(phrase)}`, answer)),
  ];
}

function checkIntent({ expected_intent }: TestTurn, { intent, intents }: TurnResult): Failure[] {
  if (expected_intent === undefined) return [];
  const names = (intents ?? (intent ? [intent] : [])).map(({ name }) => name);
  const expected = typeof expected_intent === 'string' ? [expected_intent] : expected_intent;
  const isSame = expected.length === names.length && expected.every((name, index) => name === names[index]);
  return isSame ? [] : [fail('expected_intent', listNames(expected), listNames(names))];
}

function checkRouting({ expected_routing }: TestTurn, { routing }: TurnResult): Failure[] {
  if (!expected_routing) return [];
  const { domains, ...facts } = Array.isArray(expected_routing) ? { domains: expected_routing } : expected_routing;
  const failures: Failure[] = [];
  const actual = routing?.identified_domains ?? [];
  const reasoning = routing ? ` (${shorten(routing.reasoning, 200)})` : '';
  if (domains && !isSameSet(domains, actual)) {
    failures.push(fail('expected_routing', listNames(domains), `${listNames(actual)}${reasoning}`));
  }
  for (const [key, expected] of Object.entries(facts)) {
    const value = routing?.[key as keyof typeof facts] ?? false; // the keys are those of the decision
    if (value !== expected) failures.push(fail(`expected_routing.${key}`, String(expected), `${value}${reasoning}`));
  }
  return failures;
}

function checkSources(
  { expected_sources, expected_confidence }: TestTurn,
  { sources, confidence }: TurnResult,
): Failure[] {
  const failures: Failure[] = [];
  if (expected_sources && !isSameSet(expected_sources, sources)) {
    failures.push(fail('expected_sources', listNames(expected_sources), listNames(sources)));
  }
  const actual = confidence ?? 'none';
  if (expected_confidence && actual !== expected_confidence) {
    failures.push(fail('expected_confidence', expected_confidence, actual));
  }
  return failures;
}

function checkFigures({ checked_figures: wanted }: TestTurn, { checks = [], content }: TurnResult): Failure[] {
  if (wanted === undefined || wanted === false) return [];
  const unfound = checks.filter(({ found }) => !found).map(({ text }) => text);
  const answer = `the answer: ${shorten(content)}`;
  if (wanted === true) {
    if (checks.length === 0) return [fail('checked_figures', 'an answer with figures', answer)];
    if (unfound.length === 0) return [];
    return [fail('checked_figures', 'every figure is in a tool result', `not found: ${unfound.join(', ')}`)];
  }
  const isChecked = (figure: string) => checks.some(({ text, found }) => found && sameFigure(text, figure));
  const missing = wanted.filter((figure) => !isChecked(figure));
  return missing.map((figure) => fail('checked_figures', `${figure}, found in a tool result`, answer));
}

function sameFigure(a: string, b: string): boolean {
  const bare = (text: string) => text.replace(/[^\d.%-]/g, '');
  return bare(a) === bare(b);
}

function isSameSet(expected: readonly string[], actual: readonly string[]): boolean {
  const [a, b] = [new Set(expected), new Set(actual)];
  return a.size === b.size && [...a].every((name) => b.has(name));
}
