import { kindOf } from '../kinds/tool-kinds.ts';
import type { ToolEntry } from '../schema/agent.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding } from '../yaml/problem.ts';
import type { Draft } from './check-shape.ts';

const EXAMPLE = '"Only work with data of the authenticated user."';
/** Rules of a text are separated by ends of sentences, empty lines and beginnings of list items. */
const BETWEEN_RULES = /(?<=[.!?])\s+|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/;

/** A tool that is bound to the user needs a rule about isolation. */
export function checkUserRule({ instructions, tools }: Draft): Finding[] {
  if (typeof instructions !== 'object' || !('role' in instructions) || !isUserBound(tools)) return [];
  return instructions.rules.some(isUserRule) ? [] : [isolationFinding(['rules'], 'rule')];
}

/** The same advice about plain text, which may say it in other words. `text` is empty if it could not be built. */
function hintUserRule({ instructions, tools }: Draft, text: string): Finding[] {
  if (instructions === undefined || !isUserBound(tools)) return [];
  if (typeof instructions === 'object' && 'role' in instructions) return [];
  if (text === '' || text.split(BETWEEN_RULES).some(isUserRule)) return [];
  const key = typeof instructions === 'string' ? [] : ['file' in instructions ? 'file' : 'inline'];
  return [isolationFinding(key, 'sentence')];
}

function isolationFinding(key: string[], what: string): Finding {
  const message = `a tool is bound to the user; add a ${what} with both "user" and "only", such as ${EXAMPLE}`;
  return { path: ['instructions', ...key], message };
}

function isUserRule(rule: string): boolean {
  return /user/i.test(rule) && /only/i.test(rule);
}

/** Advice about the prompt's style. The style is the author's choice, so a hint never makes a file invalid. */
export function findHints(draft: Draft, text: string): Finding[] {
  return [...hintUserRule(draft, text), ...hintBrevity(draft)];
}

function hintBrevity({ instructions }: Draft): Finding[] {
  if (typeof instructions !== 'object' || !('role' in instructions)) return [];
  if (instructions.guidelines.some((line) => /\b(concise|brief|short)\b|under \d+ words/i.test(line))) return [];
  const message = 'no line asks for brevity; models answer at length unless one says "concise" or "under 200 words"';
  return [{ path: ['instructions', 'guidelines'], message }];
}

/** Rules of the `tools` list. A gap is a tool that could not be read. */
export function checkTools(tools: readonly (ToolEntry | undefined)[]): Finding[] {
  const names = tools.map((tool) => tool?.name);
  return tools.flatMap((tool, index) => {
    if (!tool) return [];
    const path = ['tools', index];
    const isTwice = names.indexOf(tool.name) < index;
    return [
      ...(isTwice ? [{ path: [...path, 'name'], message: 'another tool has this name' }] : []),
      ...(kindOf(tool).check?.(tool, path) ?? []),
    ];
  });
}

/** Whether an argument of a tool is filled with the user. */
export function isUserBound(tools: readonly (ToolEntry | undefined)[]): boolean {
  return tools.some((tool) => Object.values(tool?.bind ?? {}).some((value) => value.startsWith('$user.')));
}

const LOADING =
  /^(LD_(PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_.*|NODE_OPTIONS|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/i;

/** Finds settings that work but deserve a second look. */
export function findLaunchDoubts(tools: readonly (ToolEntry | undefined)[]): Finding[] {
  const message = 'loads other code into the program when it starts; remove it unless you need it';
  return tools.flatMap((tool, index) => {
    if (!isRecord(tool?.env)) return [];
    const names = Object.keys(tool.env).filter((name) => LOADING.test(name));
    return names.map((name) => ({ path: ['tools', index, 'env', name], message }));
  });
}
