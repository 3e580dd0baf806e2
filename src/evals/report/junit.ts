import type { CaseReport, RunReport, TurnReport } from '../../schema/tests/run-report.ts';
import { countCases } from '../../schema/tests/run-report.ts';

/** A run in the XML that CI systems read. */
export function toJunit(report: RunReport): string {
  const { failed, error } = countCases(report);
  const counts = `tests="${report.cases.length}" failures="${failed}" errors="${error}" time="${report.ms / 1000}"`;
  const suite = `name="${escapeXml(report.agent)}" ${counts} timestamp="${report.started_at}"`;
  const cases = report.cases.map((one) => caseElement(one, report.agent));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n<testsuite ${suite}>\n${cases.join('\n')}\n</testsuite>\n</testsuites>\n`;
}

function caseElement(report: CaseReport, agent: string): string {
  const open = `  <testcase classname="${escapeXml(agent)}" name="${escapeXml(report.name)}" time="${report.ms / 1000}"`;
  if (report.status === 'passed') return `${open}/>`;
  const tag = report.status === 'failed' ? 'failure' : 'error';
  const [first = report.error ?? 'did not pass', ...more] = problemsOf(report);
  const message = escapeXml(first);
  return `${open}>\n    <${tag} message="${message}">${escapeXml([first, ...more].join('\n'))}</${tag}>\n  </testcase>`;
}

/** Every unmet expectation and measure of a case, each in a line. */
function problemsOf({ error, turns }: CaseReport): string[] {
  return [...(error === undefined ? [] : [error]), ...turns.flatMap(turnProblems)];
}

function turnProblems({ failures, metrics }: TurnReport): string[] {
  return [
    ...failures.map(
      ({ expectation, expected, happened }) => `${expectation}: expected ${expected}; happened: ${happened}`,
    ),
    ...metrics
      .filter(({ passed }) => !passed)
      .map(({ name, score, threshold, reason, error }) =>
        error === undefined
          ? `${name}: ${score} < ${threshold ?? 1}${reason ? ` (${reason})` : ''}`
          : `${name}: ${error}`,
      ),
  ];
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 forbids are left out. */
function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll('\n', '&#10;');
}
