import { type Document, Lexer, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { convertDocument, type Fault } from './convert-node.ts';
import { explainSyntax, findUnquotedVariables, INDENT, yamlMessage } from './explain-syntax.ts';
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
