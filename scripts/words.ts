/**
 * Fails if comments begin with their subject too late, if "tell" is used more often than before, or if a comment, a message
 * or a page has a word of `ODD` in comment-words.ts. Prints the places.
 * Run: npm run words
 */
import { globSync, readFileSync } from 'node:fs';
import { findOddLines, measureWords } from './comment-words.ts';

/** The share of comment lines that begin late must stay below this. */
const MAX_SHARE = 0.01;
/** Uses of tell, tells and told, mostly where send, emit, return or report is meant. Lower it whenever the count is lower. */
const MAX_TELLS = 6;

const FOLDERS = '{src,web,scripts,test,bench,examples}';
const paths = globSync(`${FOLDERS}/**/*.{ts,tsx,js,mjs,css}`, {
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
}).sort();

let commentLines = 0;
const tells: string[] = [];
const late: string[] = [];
const odd: string[] = [];
for (const path of paths) {
  const words = measureWords(readFileSync(path, 'utf8'));
  commentLines += words.commentLines;
  const count = words.tellInComments + (hasMessages(path) ? words.tellInStrings : 0);
  if (count > 0) tells.push(...Array<string>(count).fill(path));
  late.push(...words.lateSubjects.map(({ line, text }) => `${path}:${line} ${text}`));
  const found = [...words.oddInComments, ...(hasMessages(path) ? words.oddInStrings : [])];
  odd.push(...found.map(({ line, text }) => `${path}:${line} ${text}`));
}
for (const path of globSync(['*.md', '{docs,deploy,examples}/**/*.md'], {
  exclude: (path) => path.includes('node_modules'),
})) {
  const found = findOddLines(readFileSync(path, 'utf8'));
  odd.push(...found.map(({ line, text }) => `${path}:${line} ${text}`));
}

const share = late.length / commentLines;
const isLate = share >= MAX_SHARE;
const tellsTooOften = tells.length > MAX_TELLS;
if (late.length > 0) console.log(`Begin these comments with their subject:\n${late.join('\n')}`);
if (tellsTooOften) console.log(`Write send, emit, return or report in:\n${[...new Set(tells)].join('\n')}`);
if (odd.length > 0) console.log(`Write get, count for, of, fix, irreversible or next to in:\n${odd.join('\n')}`);
console.log(
  `comments: ${late.length} of ${commentLines} lines begin late (${(share * 100).toFixed(2)} %, limit below ${MAX_SHARE * 100} %); tell: ${tells.length} (limit ${MAX_TELLS}); odd words: ${odd.length} (limit 0)`,
);
process.exitCode = isLate || tellsTooOften || odd.length > 0 ? 1 : 0;

/** Strings of tests, language, builtin and the forms of plain questions are sentences of users ("tell me a joke"), not messages of ours. */
function hasMessages(path: string): boolean {
  return /^src\/(?!language\/|builtin\/|space\/guard\/plain\/)/.test(path) && !path.endsWith('.test.ts');
}
