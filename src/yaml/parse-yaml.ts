import {
  type Document,
  type ErrorCode,
  isCollection,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { convertDocument, type Fault } from './convert-node.ts';
import type { Spot } from './locate.ts';
import { formatPath, type LocatedProblem } from './problem.ts';

export interface ParsedYaml {
  value: Record<string, unknown>;
  spot: Spot;
  lines: LineCounter;
  problems: LocatedProblem[];
  /** True if the text has no usable shape: nothing else can be checked. */
  isBroken: boolean;
}

/** The parser's time grows with its tokens, not with its characters: prose is cheap. */
const MAX_TOKENS = 30_000;
const MAX_SYNTAX_ERRORS = 20;

/** Reads a YAML 1.2 document that is a map. Never throws, runs nothing, and reports every fault with its place. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const broken = (faults: Fault[]): ParsedYaml => ({
    value: {},
    spot: { at: 0 },
    lines,
    problems: faults.map((fault) => placeFault(fault, file, lines)),
    isBroken: true,
  });
  addLines(text, lines);
  const unreadable = checkText(text);
  if (unreadable) return broken([unreadable]);
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false });
  if (document.errors.length > 0) return broken(toFaults(document, text, lines));
  if (document.directives?.yaml.explicit) return broken([fault(text.search(/^%/m), yamlMessage('BAD_DIRECTIVE'))]);
  const { value, spot, faults, excess } = convertDocument(document);
  if (excess) return broken([excess]);
  if (value === null && faults.length === 0) return broken([fault(0, 'is empty; begin with "name:"')]);
  if (!isRecord(value)) {
    return broken(faults.length > 0 ? faults : [fault(spot.at, 'must be a map; begin with "name:"')]);
  }
  return { value, spot, lines, problems: faults.map((one) => placeFault(one, file, lines)), isBroken: false };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addLines(text: string, lines: LineCounter): void {
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
}

function checkText(text: string): Fault | undefined {
  const control = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (control !== -1) return fault(control, 'holds a control character; remove it');
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    if (++tokens > MAX_TOKENS) return fault(0, 'has too many parts; move some of it to files of its own');
  }
  return undefined;
}

/** The first error of each line, up to the first wrong indent: the others mostly follow from these. */
function toFaults(document: Document, text: string, lines: LineCounter): Fault[] {
  const { errors } = document;
  if (errors.some((error) => error.code === 'RESOURCE_EXHAUSTION'))
    return [fault(0, yamlMessage('RESOURCE_EXHAUSTION'))];
  const unquoted = findUnquotedVariables(errors, text);
  if (unquoted.length > 0) return unquoted;
  const shown = errors.slice(0, MAX_SYNTAX_ERRORS).filter((error, index) => !isEchoed(error, errors[index + 1]));
  const firsts = Map.groupBy(
    shown.map((error) => explainSyntax(error, document, text)),
    ({ offset }) => lines.linePos(offset).line,
  );
  const faults = [...firsts.values()].flatMap(([first]) => first ?? []).toSorted((a, b) => a.offset - b.offset);
  const cause = faults.findIndex(({ message }) => message === INDENT);
  return cause === -1 ? faults : faults.slice(0, cause + 1);
}

/** A value that swallows the next line is reported twice; the second error contains that line. */
function isEchoed(error: YAMLError, next: YAMLError | undefined): boolean {
  return (
    error.code === 'BLOCK_AS_IMPLICIT_KEY' && next?.code === 'MULTILINE_IMPLICIT_KEY' && next.pos[0] === error.pos[0]
  );
}

function fault(offset: number, message: string): Fault {
  return { path: [], offset, message };
}

function placeFault({ path, offset, message }: Fault, file: string, lines: LineCounter): LocatedProblem {
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col, path: formatPath(path), message };
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'this alias names no anchor before it',
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag of its own',
  BAD_DIRECTIVE: 'lines that begin with % are not supported; remove it',
  BAD_DQ_ESCAPE: 'this \\ escape is not known; use single quotes to write a backslash as it is',
  BAD_SCALAR_START: 'a value cannot begin with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " on one line; put the value in quotes',
  BLOCK_IN_FLOW: 'a block cannot be inside [ ] or { }',
  KEY_OVER_1024_CHARS: 'a key is longer than 1,024 characters',
  MISSING_CHAR: 'a closing bracket or ":" is missing',
  MULTILINE_IMPLICIT_KEY:
    'a key must be on one line with its ":", and a text of several lines is indented below its key',
  MULTIPLE_ANCHORS: 'one value has two anchors',
  MULTIPLE_DOCS: 'a second document begins here; one file holds one agent, remove "---"',
  MULTIPLE_TAGS: 'one value has two tags',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab cannot indent; use spaces',
  UNEXPECTED_TOKEN: 'this does not fit here; check the indentation and quotes of this line and the one above',
};

/** Our own texts for syntax errors: the parser's messages may quote the file, and the file may contain a secret. */
function yamlMessage(code: ErrorCode): string {
  return MESSAGES[code] ?? 'this is not valid YAML';
}

const INDENT = 'wrong indent; lines of one block begin in the same column, and lines below a key are indented further';

/** Inside brackets, the `{` of an unquoted `${VAR}` begins a map; the errors after it follow from that. */
function findUnquotedVariables(errors: readonly YAMLError[], text: string): Fault[] {
  const starts = errors.map(({ pos }) => pos[0]).filter((at) => text.startsWith('${', at - 1));
  return [...new Set(starts)].map((at) => toFault(at - 1, `quote '\${VAR}' inside { } and [ ]`));
}

/** Describes a syntax error in our words, at the place that the author has to change. */
function explainSyntax(error: YAMLError, document: Document, text: string): Fault {
  const at = error.pos[0];
  if (error.message.startsWith('Missing closing')) {
    const opening = findOpening(document, at, (node) => isScalar(node) && String(node.type).startsWith('QUOTE'));
    return toFault(opening ?? at, `this ${text[opening ?? at]} is never closed; close it, or remove it`);
  }
  if (/^Flow (map|sequence) /.test(error.message)) {
    const opening = findOpening(document, at, (node) => isCollection(node) && node.flow === true) ?? at;
    const closing = text[opening] === '[' ? ']' : '}';
    return toFault(opening, `this ${text[opening]} is never closed; add ${closing}, indented further than its key`);
  }
  const wrongLine = findWrongIndent(error, text);
  return wrongLine === undefined ? toFault(at, yamlMessage(error.code)) : toFault(wrongLine, INDENT);
}

/** The innermost node of a kind that begins before an offset. */
function findOpening(document: Document, before: number, isKind: (node: unknown) => boolean): number | undefined {
  let found: number | undefined;
  visit(document, (_key, node) => {
    const start = 'range' in Object(node) ? (node as { range?: [number] | null }).range?.[0] : undefined; // checked by in
    if (start !== undefined && start < before && isKind(node)) found = Math.max(found ?? 0, start);
  });
  return found;
}

/** The first character of the line whose indentation is wrong, if that is the error. */
function findWrongIndent({ code, message, pos }: YAMLError, text: string): number | undefined {
  const [start, end] = pos;
  if (code === 'BAD_INDENT' || message.startsWith('Sequence item without -')) return firstOnLine(text, start);
  if (message.startsWith('A block sequence may not be used')) return firstOnLine(text, start);
  // A value continues in an indented line that was meant as a separate key.
  if (code === 'MULTILINE_IMPLICIT_KEY' && /^[^\n]*\S: /.test(lineAt(text, start))) return firstOnLine(text, end - 1);
  const isFirst = code === 'UNEXPECTED_TOKEN' && firstOnLine(text, start) === start;
  return isFirst && indentAbove(text, start) !== indentOf(lineAt(text, start)) ? start : undefined;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineAt(text: string, offset: number): string {
  return text.slice(lineStart(text, offset)).split('\n', 1)[0] ?? '';
}

function firstOnLine(text: string, offset: number): number {
  return lineStart(text, offset) + indentOf(lineAt(text, offset));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function indentAbove(text: string, offset: number): number {
  const above = text.slice(0, lineStart(text, offset)).split('\n');
  return indentOf(above.findLast((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? '');
}

function toFault(offset: number, message: string): Fault {
  return { path: [], offset, message };
}
