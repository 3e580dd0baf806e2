import { type McpTool, type ToolConfig, USER_VALUES } from '../schema/agent.ts';
import { checkLaunch } from './launch-rules.ts';
import type { Finding, Path } from './problem.ts';

/** Rules of the `tools` list. A gap is a tool that could not be read. */
export function checkTools(tools: readonly (ToolConfig | undefined)[]): Finding[] {
  const names = tools.map((tool) => tool?.name);
  return tools.flatMap((tool, index) => {
    if (!tool) return [];
    const path = ['tools', index];
    const isTwice = names.indexOf(tool.name) < index;
    return [
      ...(isTwice ? [{ path: [...path, 'name'], message: 'another tool has this name' }] : []),
      ...checkLaunch(tool, path),
      ...(tool.type === 'mcp' ? checkMcpTool(tool, path) : checkFunctionEnv(tool.env, path)),
    ];
  });
}

export function isBoundToUser(tool: ToolConfig): boolean {
  return Object.values(tool.bind).some((value) => value.startsWith('$user.'));
}

/** Users log in to the server themselves. */
function usesLogins(tool: McpTool): boolean {
  return tool.transport === 'http' && tool.auth === 'oauth';
}

/** A server that is started or called with values of the user, or with a user's token, cannot be shared. */
export function needsOwnConnection(tool: McpTool): boolean {
  return usesLogins(tool) || userTexts(tool).some(({ text }) => text.includes('$user.'));
}

function checkMcpTool(tool: McpTool, path: Path): Finding[] {
  return [
    ...checkUserTexts(tool, path),
    ...checkLists(tool, path),
    ...checkSpaceFile(tool, path),
    ...checkTaskUser(tool, path),
    ...checkLogin(tool, path),
  ];
}

/** Functions of all users share a thread; each call brings its user. */
function checkFunctionEnv(env: Record<string, string>, path: Path): Finding[] {
  const message = '$user.* is not filled here: a function gets the user with each call, as context.user';
  return Object.entries(env).flatMap(([name, value]) =>
    value.includes('$user.') ? [{ path: [...path, 'env', name], message }] : [],
  );
}

interface UserText {
  path: Path;
  text: string;
}

function userTexts(tool: McpTool): UserText[] {
  const of = (key: string, values: Record<string, string>) =>
    Object.entries(values).map(([name, text]) => ({ path: [key, name], text }));
  if (tool.transport === 'stdio') return of('env', tool.env);
  return tool.transport === 'http' ? of('headers', tool.headers) : [];
}

function checkUserTexts(tool: McpTool, path: Path): Finding[] {
  const unknown = userTexts(tool)
    .filter(({ text }) => (text.match(/\$user\.\w*/g) ?? []).some((name) => !USER_VALUES.includes(name)))
    .map(({ path: at }) => ({
      path: [...path, ...at],
      message: `unknown value of the user; use ${USER_VALUES.join(' or ')}`,
    }));
  const elsewhere: UserText[] =
    tool.transport === 'stdio' ? tool.args.map((text, index) => ({ path: ['args', index], text })) : [];
  if (tool.transport === 'http') elsewhere.push({ path: ['url'], text: tool.url });
  const misplaced = elsewhere
    .filter(({ text }) => text.includes('$user.'))
    .map(({ path: at }) => ({ path: [...path, ...at], message: '$user.* is filled only in env, headers and bind' }));
  return [...unknown, ...misplaced];
}

function checkLists(tool: McpTool, path: Path): Finding[] {
  const { allow } = tool;
  if (!allow) return [];
  return (['unbound', 'approve', 'idempotent'] as const).flatMap((key) =>
    tool[key].flatMap((name, index) =>
      allow.includes(name)
        ? []
        : [{ path: [...path, key, index], message: 'is not in allow; add it there or remove it' }],
    ),
  );
}

function checkSpaceFile(tool: McpTool, path: Path): Finding[] {
  if (tool.transport !== 'builtin') return [];
  const at = [...path, 'file'];
  if (tool.server === 'space' && tool.file === undefined)
    return [{ path: at, message: 'is missing; server space needs the file of its space' }];
  if (tool.server === 'tasks' && tool.file !== undefined)
    return [{ path: at, message: 'server tasks reads no file; remove the line' }];
  return [];
}

/** Without the user, no task tool can be called: the model does not know whose tasks they are. */
function checkTaskUser(tool: McpTool, path: Path): Finding[] {
  if (tool.transport !== 'builtin' || tool.server !== 'tasks' || tool.bind.user_id === '$user.id') return [];
  const message = 'is missing; task tools act for their user: write bind: { user_id: $user.id }';
  return [{ path: [...path, 'bind', 'user_id'], message }];
}

const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens travel over https only, or inside this machine. */
function checkLogin(tool: McpTool, path: Path): Finding[] {
  if (tool.transport !== 'http') return [];
  if (tool.auth === undefined) {
    const isAlone = tool.oauth !== undefined;
    return isAlone ? [{ path: [...path, 'oauth'], message: 'has no effect without auth: oauth' }] : [];
  }
  const { protocol, hostname } = new URL(tool.url);
  const header = Object.keys(tool.headers).find((name) => name.toLowerCase() === 'authorization');
  const { client_id, client_secret, client_metadata_url: document } = tool.oauth ?? {};
  return [
    ...(protocol === 'https:' || THIS_MACHINE.test(hostname)
      ? []
      : [{ path: [...path, 'url'], message: 'needs https, because the tokens of users are sent to it' }]),
    ...(header === undefined
      ? []
      : [{ path: [...path, 'headers', header], message: 'is set by auth: oauth; remove it' }]),
    ...(client_secret !== undefined && client_id === undefined
      ? [{ path: [...path, 'oauth', 'client_secret'], message: 'needs client_id beside it' }]
      : []),
    ...(document !== undefined && !/^https:\/\/[^/]+\/./.test(document)
      ? [{ path: [...path, 'oauth', 'client_metadata_url'], message: 'must be an https address with a path' }]
      : []),
  ];
}
