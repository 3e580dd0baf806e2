import type { McpTool, ToolConfig } from '../schema/agent.ts';
import type { Finding, Path } from '../yaml/problem.ts';

/**
 * Checks how a tool server is started or called. Settings that cannot work, or are unsafe, are refused before anything
 * runs.
 */
export function checkLaunch(tool: ToolConfig, path: Path): Finding[] {
  if (tool.type === 'function') return checkEnvironment(tool.env, path);
  if (tool.transport === 'http')
    return [...checkAddress(tool.url, [...path, 'url']), ...checkHeaders(tool.headers, path)];
  if (tool.transport !== 'stdio') return [];
  return [...checkCommand(tool, path), ...checkArguments(tool.args, path), ...checkEnvironment(tool.env, path)];
}

type StdioTool = Extract<McpTool, { transport: 'stdio' }>;

const SHELL_SYNTAX = /[|&;<>`$*"'\n]|^~/;
/** A program's path may contain spaces; a dash after a space begins an argument. */
const ARGUMENT_INSIDE = /^[^\s/\\]+\s|\s-/;

function checkCommand({ command }: StdioTool, path: Path): Finding[] {
  const at = [...path, 'command'];
  if (hasControl(command)) return [{ path: at, message: CONTROL }];
  if (SHELL_SYNTAX.test(command))
    return [
      {
        path: at,
        message: 'contains shell syntax, but no shell runs it; name one program, or a script that does this',
      },
    ];
  if (ARGUMENT_INSIDE.test(command)) return [{ path: at, message: 'is one program; put its arguments into args' }];
  return [];
}

const OPERATORS: readonly string[] = ['|', '||', '&', '&&', ';', '<', '>', '>>', '2>', '2>&1'];

function checkArguments(args: readonly string[], path: Path): Finding[] {
  return args.flatMap((text, index) => {
    const at = [...path, 'args', index];
    if (hasControl(text)) return [{ path: at, message: CONTROL }];
    return OPERATORS.includes(text) ? [{ path: at, message: 'is shell syntax, but no shell runs it; remove it' }] : [];
  });
}

function checkEnvironment(env: Readonly<Record<string, string>>, path: Path): Finding[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const at = [...path, 'env', name];
    if (name.includes('=')) return [{ path: at, message: 'the name of a variable cannot hold =', onKey: true }];
    return hasControl(name) || hasControl(value) ? [{ path: at, message: CONTROL }] : [];
  });
}

const CONTROL = 'holds a control character; remove it';

/** Line breaks and tabs are allowed: they are common in keys and scripts. */
function hasControl(text: string): boolean {
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
}

/** Checks that HTTP can carry the names and values. */
export function checkHeaders(headers: Readonly<Record<string, string>>, path: Path): Finding[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isValid = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
    const message = 'is not a valid header: its name or value contains a forbidden character';
    return isValid ? [] : [{ path: [...path, 'headers', name], message }];
  });
}

const METADATA_NAMES = /^(metadata|instance-data)(\.|$)/;
/** Addresses where a cloud machine serves the keys of its own account to any local reader. */
const METADATA_ADDRESSES =
  /^(169\.254\.\d+\.\d+|100\.100\.100\.200|\[fe[89ab][0-9a-f]:.*\]|\[fd00:ec2::254\]|\[::ffff:a9fe:[0-9a-f]+\])$/;

/** Normalizes the address first: 169.254.169.254 may also be written as a single number. */
export function checkAddress(address: string | undefined, path: Path): Finding[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const host = new URL(address).hostname;
  if (!METADATA_NAMES.test(host) && !METADATA_ADDRESSES.test(host)) return [];
  return [{ path, message: 'is a link-local address, where machines of a cloud read their keys; name another one' }];
}

const LOADING =
  /^(LD_(PRELOAD|AUDIT|LIBRARY_PATH)|DYLD_.*|NODE_OPTIONS|BASH_ENV|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/i;

/** Finds settings that work but deserve a second look. */
export function findLaunchDoubts(tools: readonly (ToolConfig | undefined)[]): Finding[] {
  const message = 'loads other code into the program when it starts; remove it unless you need it';
  return tools.flatMap((tool, index) => {
    if (!tool || !('env' in tool)) return [];
    const names = Object.keys(tool.env).filter((name) => LOADING.test(name));
    return names.map((name) => ({ path: ['tools', index, 'env', name], message }));
  });
}
