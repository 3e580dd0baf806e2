import { CODES } from '../../src/errors.ts';
import { table } from './schema-text.ts';

/** docs/reference/errors.md: the table of error codes. */
export function errorsPage(): string {
  const rows = Object.entries(CODES).map(([code, { title, status, exit, type }]) => [
    `\`${code}\``,
    title,
    String(status),
    String(exit),
    `\`${type}\``,
  ]);
  return `${HEAD}\n${table(['code', 'title', 'HTTP status', 'exit code', 'error_type'], rows)}\n`;
}

const HEAD = `# Error codes

This page is made from the table in \`src/errors.ts\` (\`npm run docs:write\`). Test the code, never the text: texts change.

Over HTTP an error is \`application/problem+json\` (RFC 9457): \`code\` is the first column, \`title\` the second, \`type\` is
\`https://holodeck.dev/errors/<code>\`, \`detail\` says what to do, and \`errors\` lists the fields that are wrong. A turn that
failed has the same \`code\` in its \`error\`, with the \`error_type\` of the last column.
[Faults](faults.md) shows which message each fault gives.
`;
