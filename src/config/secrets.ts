import { hasSecretShape, isSecretName } from '../redaction/patterns.ts';
import { getIn } from '../yaml/locate.ts';
import { isRecord } from '../yaml/parse-yaml.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import { isVariable, modelPaths, usesVariable } from './fill-env.ts';

const JWT_SECRET: Path = ['server', 'auth', 'jwt', 'secret'];
const URL_PATHS: Path[] = [['database'], ['observability', 'otlp_endpoint']];

/** A value of the user, which is not a secret of the file. */
const ONLY_USER = /^(Bearer\s+)?\$user\.\w+$/;

/** Finds secrets that are written into a file instead of a variable. Looks at values before they are filled. */
export function findLiteralSecrets(value: unknown): Finding[] {
  const tools = getIn(value, ['tools']);
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  return [
    ...checkKey(JWT_SECRET, getIn(value, JWT_SECRET)),
    ...URL_PATHS.flatMap((path) => checkAddress(path, getIn(value, path))),
    ...modelPaths(value).flatMap((path) => checkModel(path, getIn(value, path))),
    ...list.flatMap((tool, index) => checkTool(['tools', index], tool)),
    ...Object.entries(Object(getIn(value, ['agents']))).flatMap(([name, one]) => checkTool(['agents', name], one)),
  ];
}

function checkModel(path: Path, model: unknown): Finding[] {
  if (!isRecord(model)) return [];
  return [
    ...checkKey([...path, 'api_key'], model.api_key),
    ...checkAddress([...path, 'endpoint'], model.endpoint),
    ...checkNamed([...path, 'headers'], model.headers),
    ...checkDeep([...path, 'extra_body'], model.extra_body),
  ];
}

function checkKey(path: Path, value: unknown): Finding[] {
  if (typeof value !== 'string' || value.trim() === '' || isVariable(value)) return [];
  return [{ path, message: `a secret does not belong in a file; use \${VAR}` }];
}

function checkAddress(path: Path, value: unknown): Finding[] {
  if (typeof value !== 'string') return [];
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/i.exec(value)?.[1];
  if (!password || usesVariable(password)) return [];
  return [{ path, message: `contains a password; use \${VAR} in its place` }];
}

function checkTool(path: Path, tool: unknown): Finding[] {
  if (!isRecord(tool)) return [];
  const args: unknown[] = Array.isArray(tool.args) ? tool.args : [];
  return [
    ...['url', 'a2a'].flatMap((key) => checkAddress([...path, key], tool[key])),
    ...checkNamed([...path, 'headers'], tool.headers),
    ...checkNamed([...path, 'env'], tool.env),
    ...checkKey([...path, 'oauth', 'client_secret'], getIn(tool, ['oauth', 'client_secret'])),
    ...args.flatMap((arg, index) => checkShape([...path, 'args', index], arg)),
  ];
}

function checkNamed(path: Path, values: unknown): Finding[] {
  if (!isRecord(values)) return [];
  return Object.entries(values).flatMap(([name, value]) => {
    if (typeof value !== 'string' || value === '' || ONLY_USER.test(value)) return [];
    if (!isSecretName(name) || usesVariable(value)) return checkShape([...path, name], value);
    return [{ path: [...path, name], message: `looks like a secret; use \${VAR}` }];
  });
}

/** A map may contain further maps and lists. */
function checkDeep(path: Path, value: unknown): Finding[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => checkDeep([...path, index], item));
  if (!isRecord(value)) return checkShape(path, value);
  const inner = Object.entries(value).filter(([, item]) => typeof item === 'object');
  return [...checkNamed(path, value), ...inner.flatMap(([key, item]) => checkDeep([...path, key], item))];
}

function checkShape(path: Path, value: unknown): Finding[] {
  if (typeof value !== 'string' || usesVariable(value)) return [];
  const argument = value.replace(/^--?[\w-]+=/, '');
  return hasSecretShape(argument) ? [{ path, message: `looks like a secret; use \${VAR}` }] : [];
}
