import { sanitizeText } from '../../tools/sanitize.ts';
import { terminalColors } from './colors.ts';
import { type Completer, completeText } from './complete.ts';
import { cutToWidth } from './display-width.ts';
import {
  EMPTY_LINE,
  editLine,
  insertText,
  type Key,
  type Line,
  layoutLine,
  moveVertically,
  sentRows,
} from './edit-line.ts';
import type { History } from './history.ts';
import type { Screen } from './screen.ts';

export interface LineEditorOptions {
  screen: Screen;
  history: History;
  complete: Completer;
  /** Called on Ctrl+C if there is no typed text to clear. */
  onInterrupt(): void;
  /** Called on any other key. */
  onOtherKey?(): void;
  onSuspend?(): void;
}

/** Reads lines from keys. Keys pressed while no line is read are kept, so that nothing typed ahead is lost. */
export interface LineEditor {
  press(character: string | undefined, key: Key): void;
  /** The next line; undefined when the person leaves. */
  read(): Promise<string | undefined>;
  /** The answer to a question, without anything typed before it. Undefined if the question is dismissed. */
  ask(prompt: string): Promise<string | undefined>;
  redraw(): void;
  /** Ends the current read. */
  close(): void;
}

interface Reading {
  prompt: string;
  isQuestion: boolean;
  resolve(text: string | undefined): void;
}

interface Editing extends LineEditorOptions {
  reading: Reading | undefined;
  /** Text typed for the agent, also while it answers. */
  draft: Line;
  /** Text typed for a question. */
  answer: Line;
  /** The part of a paste received so far. */
  pasted: string | undefined;
  choices: string[];
  /** Lines sent before they were read. */
  ahead: string[];
  isLeaving: boolean;
  isDrawPlanned: boolean;
}

const PROMPT = '> ';
const SHIFT_ENTER = '\u001b[13;2u';

export function createLineEditor(options: LineEditorOptions): LineEditor {
  const empty = { reading: undefined, draft: EMPTY_LINE, answer: EMPTY_LINE, pasted: undefined };
  const editing: Editing = { ...options, ...empty, choices: [], ahead: [], isLeaving: false, isDrawPlanned: false };
  return {
    press: (character, key) => press(editing, character, key),
    read: () =>
      new Promise((resolve) => {
        editing.reading = { prompt: PROMPT, isQuestion: false, resolve };
        const next = editing.ahead.shift();
        if (next !== undefined || editing.isLeaving) finish(editing, next);
        else draw(editing);
      }),
    ask: (prompt) =>
      new Promise((resolve) => {
        editing.answer = EMPTY_LINE;
        editing.reading = { prompt, isQuestion: true, resolve };
        draw(editing);
      }),
    redraw: () => draw(editing),
    close() {
      editing.isLeaving = true;
      if (editing.reading) finish(editing, undefined);
    },
  };
}

function press(editing: Editing, character: string | undefined, key: Key): void {
  if (key.name === 'paste-start') editing.pasted = '';
  else if (key.name === 'paste-end') endPaste(editing);
  else if (editing.pasted !== undefined) editing.pasted += key.sequence ?? character ?? '';
  else {
    if (key.name !== 'tab') editing.choices = [];
    if (!(key.ctrl && key.name === 'c')) editing.onOtherKey?.();
    act(editing, character, key);
  }
  if (editing.pasted === undefined) planDraw(editing);
}

function act(editing: Editing, character: string | undefined, key: Key): void {
  const isReturn = key.name === 'return' || key.name === 'enter';
  if (key.ctrl && control(editing, key.name)) return;
  if (key.sequence === SHIFT_ENTER || (isReturn && key.meta)) insert(editing, '\n');
  else if (isReturn) enter(editing);
  else if (key.name === 'up' || key.name === 'down') browse(editing, key.name === 'up' ? -1 : 1);
  else if (key.name === 'tab') complete(editing);
  else type(editing, character, key);
}

/** Handles Ctrl keys that do more than edit; false for the others. */
function control(editing: Editing, name: string | undefined): boolean {
  if (name === 'c') interrupt(editing);
  else if (name === 'd' && lineOf(editing).text === '') leave(editing);
  else if (name === 'd') setLine(editing, editLine(lineOf(editing), { name: 'delete' }));
  else if (name === 'l') editing.screen.clear();
  else if (name === 'z') editing.onSuspend?.();
  else return false;
  return true;
}

function lineOf(editing: Editing): Line {
  return editing.reading?.isQuestion ? editing.answer : editing.draft;
}

function setLine(editing: Editing, line: Line | undefined): void {
  if (!line) return;
  if (editing.reading?.isQuestion) editing.answer = line;
  else editing.draft = line;
}

function type(editing: Editing, character: string | undefined, key: Key): void {
  const edited = editLine(lineOf(editing), key);
  if (edited) setLine(editing, edited);
  else if (character !== undefined && !key.ctrl && !key.meta && !/^\p{Cc}/u.test(character)) insert(editing, character);
}

function insert(editing: Editing, text: string): void {
  const isOneLine = editing.reading?.isQuestion ?? false;
  setLine(editing, insertText(lineOf(editing), isOneLine ? text.replaceAll('\n', ' ') : text));
}

function endPaste(editing: Editing): void {
  const text = editing.pasted ?? '';
  editing.pasted = undefined;
  insert(editing, sanitizeText(text.replace(/\r\n?/g, '\n')));
}

/** Sends the line, unless it ends with a backslash, which continues it. */
function enter(editing: Editing): void {
  const { text, cursor } = lineOf(editing);
  const isContinued = cursor === text.length && text.endsWith('\\') && !editing.reading?.isQuestion;
  if (isContinued) setLine(editing, { text: `${text.slice(0, -1)}\n`, cursor });
  else send(editing);
}

function send(editing: Editing): void {
  const { text } = lineOf(editing);
  setLine(editing, EMPTY_LINE);
  if (editing.reading?.isQuestion) {
    finish(editing, text.trim());
    return;
  }
  if (text.trim() !== '') editing.history.add(text);
  editing.history.rest();
  if (editing.reading) finish(editing, text);
  else editing.ahead.push(text);
}

function interrupt(editing: Editing): void {
  if (editing.reading && !editing.reading.isQuestion && editing.draft.text !== '') {
    giveUpLine(editing);
    return;
  }
  if (editing.reading?.isQuestion) finish(editing, undefined);
  editing.onInterrupt();
}

/** Keeps the typed text above and starts a new line. */
function giveUpLine(editing: Editing): void {
  editing.screen.draw(sentRows(editing.draft.text, { prompt: PROMPT, width: editing.screen.width }));
  editing.screen.commit();
  editing.draft = EMPTY_LINE;
  editing.history.rest();
}

function leave(editing: Editing): void {
  if (!editing.reading?.isQuestion) editing.isLeaving = true;
  if (editing.reading) finish(editing, undefined);
}

/** Up and down move within the typed text, and at its edges through the history. */
function browse(editing: Editing, step: -1 | 1): void {
  const moved = moveVertically(lineOf(editing), step);
  if (moved) setLine(editing, moved);
  if (moved || editing.reading?.isQuestion) return;
  const text = step === -1 ? editing.history.older(editing.draft.text) : editing.history.newer();
  if (text !== undefined) editing.draft = { text, cursor: text.length };
}

function complete(editing: Editing): void {
  if (editing.reading?.isQuestion) return;
  const { text, cursor } = editing.draft;
  const completed = completeText(text.slice(0, cursor), editing.complete);
  editing.choices = completed.choices.map(sanitizeText);
  editing.draft = { text: completed.text + text.slice(cursor), cursor: completed.text.length };
}

function finish(editing: Editing, text: string | undefined): void {
  const { reading, screen } = editing;
  if (!reading) return;
  screen.draw(sentRows(text ?? lineOf(editing).text, { prompt: reading.prompt, width: screen.width }));
  screen.commit();
  editing.reading = undefined;
  reading.resolve(text);
}

/** Several keys in one chunk are drawn once. */
function planDraw(editing: Editing): void {
  if (!editing.isDrawPlanned) setImmediate(draw, editing);
  editing.isDrawPlanned = true;
}

function draw(editing: Editing): void {
  const { reading, screen, choices } = editing;
  editing.isDrawPlanned = false;
  if (!reading) return;
  const layout = { prompt: reading.prompt, width: screen.width, maxRows: screen.height - 3 };
  const { rows, cursor } = layoutLine(lineOf(editing), layout);
  const hint = choices.length > 0 ? [terminalColors.dim(cutToWidth(`  ${choices.join('  ')}`, screen.width))] : [];
  screen.draw([...rows, ...hint], cursor);
}
