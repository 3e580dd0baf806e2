import { describe, expect, it } from 'vitest';
import { findOddLines, measureWords } from '../scripts/comment-words.ts';

const of = (...lines: string[]) => measureWords(lines.join('\n'));

describe('measureWords', () => {
  it('finds every form of comment line that begins with its subject late', () => {
    const { commentLines, lateSubjects } = of(
      '/** What a tool returns. */',
      '/**',
      ' * Runs one call.',
      ' * Nobody waits for it.',
      ' */',
      'const a = 1; // That is the first one.',
      '  // Such a name is refused.',
      '{/* One row per task. */}',
      '  // Whatever fits. Oneself. Whose.',
    );
    expect(commentLines).toBe(7);
    expect(lateSubjects).toEqual([
      { line: 1, text: 'What a tool returns.' },
      { line: 4, text: 'Nobody waits for it.' },
      { line: 6, text: 'That is the first one.' },
      { line: 7, text: 'Such a name is refused.' },
      { line: 8, text: 'One row per task.' },
    ]);
  });

  it('leaves code and strings alone', () => {
    const { commentLines, lateSubjects } = of(
      "const url = 'http://What.example'; const text = 'a // What is this';",
      'const What = 1 / 2;',
      '`a // One`;',
    );
    expect({ commentLines, lateSubjects }).toEqual({ commentLines: 0, lateSubjects: [] });
  });

  it('counts tell, tells and told in comments and in strings, but not in names', () => {
    const { tellInComments, tellInStrings } = of(
      '// Tell the client; it is told once.',
      "tell('He tells nothing'); const told = untold; // telling",
    );
    expect({ tellInComments, tellInStrings }).toEqual({ tellInComments: 2, tellInStrings: 1 });
  });

  it('finds words of another meaning in comments, strings and pages, but not in names, fences and quotations', () => {
    const { oddInComments, oddInStrings } = of('// The client hears it.', "mend('What mends it'); const heard = mend;");
    expect([oddInComments, oddInStrings].map((found) => found.map(({ line }) => line))).toEqual([[1], [2]]);
    const page = 'It stands beside it.\n```\nmend\n```\nSay "mend", or `hear`.\nA grave one speaks for it.';
    expect(findOddLines(page).map(({ line }) => line)).toEqual([1, 6]);
  });
});
