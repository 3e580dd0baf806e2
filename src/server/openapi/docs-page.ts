import type { OpenApiDocument } from './openapi.ts';

/** Forms send by the script only, to this server only. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** The API reference: every route with its description, an example and a form, without anything from outside. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, paths, components } = document;
  const operations = toShown(paths);
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const routes = own.map((shown) => operationHtml(shown, document)).join('\n');
    return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${routes}`;
  });
  const shapes = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>
<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`,
  );
  const base = document.servers[0]?.url.replace(/\/$/, '') ?? '';
  const title = `${info.title} ${info.version}`;
  const links = tags.map(({ name }) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${base}/docs/style.css"><script type="module" src="${base}/docs/script.js"></script></head><body>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(String(info.description))} The same as data: <a href="${base}/openapi.json">openapi.json</a>.</p>
<p><label>Token <input id="token" type="password" autocomplete="off" spellcheck="false"></label>
Needed only when the server asks for one. Forms send it to this server and keep it in this tab.</p>
<nav>${links} <a href="#shapes">shapes</a></nav>
${sections.join('\n')}
<h2 id="shapes">shapes</h2>${shapes.join('\n')}
</body></html>`;
}

function toShown(paths: OpenApiDocument['paths']): ShownOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    // describe() of openapi.ts writes these fields.
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as ShownOperation['operation'],
    })),
  );
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface ShownOperation {
  method: string;
  path: string;
  operation: {
    tags: string[];
    summary: string;
    description?: string;
    parameters: Parameter[];
    requestBody?: { content: Content };
    responses: Record<string, { description?: string; content?: Content }>;
  };
}

/** A route: what it does, its shapes, a curl line, and a form to try it. A DELETE has no form. */
function operationHtml(shown: ShownOperation, document: OpenApiDocument): string {
  const { method, path, operation } = shown;
  const { summary, description, parameters, requestBody, responses } = operation;
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema && JSON.stringify(exampleOf(schema, document.components.schemas ?? {}), null, 2);
  const details = JSON.stringify({ parameters, requestBody, responses }, null, 2);
  return `<details><summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${description ? `<p>${escapeHtml(description)}</p>` : ''}
<pre>${escapeHtml(curlOf(shown, body))}</pre>
${method === 'DELETE' ? '' : formHtml(shown, body)}
<details><summary>Parameters and answers</summary><pre>${escapeHtml(details)}</pre></details></details>`;
}

function curlOf({ method, path, operation }: ShownOperation, body: string | undefined): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const query = operation.parameters.some(({ name }) => name === 'follow') ? '?follow=1' : '';
  const stream = query ? ' -N' : '';
  const data = body
    ? ` \\\n  -H 'content-type: application/json' \\\n  -d ${quote(JSON.stringify(JSON.parse(body)))}`
    : '';
  return `curl -s${stream}${verb} "$HOLODECK${path}${query}"${data}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function formHtml({ method, path, operation }: ShownOperation, body: string | undefined): string {
  const fields = operation.parameters.map(({ name, in: place, description = '' }) => {
    const label = `${escapeHtml(name)} <small>${place}${place === 'path' ? ', required' : ''}</small>`;
    const required = place === 'path' ? ' required' : '';
    return `<label title="${escapeHtml(description)}">${label}<input name="${escapeHtml(name)}" data-in="${place}"${required}></label>`;
  });
  const area = body
    ? `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(body)}</textarea></label>`
    : '';
  return `<form data-method="${method}" data-path="${escapeHtml(path)}">${fields.join('')}${area}
<button>Send ${method}</button> <button type="button" data-stop hidden>Stop</button><pre data-answer hidden aria-live="polite"></pre></form>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The part of JSON Schema that examples are made from. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const TEXTS: Readonly<Record<string, string>> = {
  message: 'hello',
  content: 'hello',
  threadId: 'thread-1',
  runId: 'run-1',
  title: 'My conversation',
};
/** Messages of a run have no schema of their own, because clients send many shapes. */
const MESSAGES = [{ id: 'message-1', role: 'user', content: 'hello' }];

/** A small value of a schema's shape: its required keys, or its first key where none is required. */
function exampleOf(schema: Schema, shapes: Record<string, unknown>, name = ''): unknown {
  if (schema.$ref) return exampleOf((shapes[schema.$ref.split('/').at(-1) ?? ''] ?? {}) as Schema, shapes, name); // componentSchemas writes JSON Schemas
  if (name === 'messages') return MESSAGES;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const option = (schema.anyOf ?? schema.oneOf)?.[0];
  if (option) return exampleOf(option, shapes, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return schema.items ? [exampleOf(schema.items, shapes)] : [];
  if (type === 'object') return exampleObject(schema, shapes);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return TEXTS[name] ?? (type === 'string' ? 'text' : null);
}

function exampleObject({ properties = {}, required = [] }: Schema, shapes: Record<string, unknown>): unknown {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, shapes, name)]));
}

/**
 * The script of `/docs`. It sends what the forms hold to this server and shows the answer as text, streams as they come.
 * The token goes into the header only, and stays in this tab like the page's own.
 */
export const DOCS_SCRIPT = `
const MOST_CHARS = 200000;
const token = document.getElementById('token');
token.value = sessionStorage.getItem('holodeck-docs-token') ?? '';
token.addEventListener('input', () => sessionStorage.setItem('holodeck-docs-token', token.value));

function readForm(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll('input')) {
    const { name, value } = input;
    if (input.dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
    else if (value === '') continue;
    else if (input.dataset.in === 'query') query.set(name, value);
    else headers[name] = value;
  }
  const body = form.elements.body?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token.value !== '') headers.authorization = 'Bearer ' + token.value.trim();
  const search = query.size > 0 ? '?' + query : '';
  return { url: path + search, init: { method: form.dataset.method, headers, body, cache: 'no-store' } };
}

async function send(form, answer, signal) {
  const { url, init } = readForm(form);
  answer.hidden = false;
  answer.textContent = init.method + ' ' + url + '\\n…';
  const response = await fetch(url, { ...init, signal });
  answer.textContent = response.status + ' ' + (response.headers.get('content-type') ?? '') + '\\n\\n';
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST_CHARS) text = text.slice(0, MOST_CHARS) + '\\n…';
    answer.textContent = response.status + ' ' + (response.headers.get('content-type') ?? '') + '\\n\\n' + text;
    if (text.length > MOST_CHARS) return reader.cancel();
  }
  if ((response.headers.get('content-type') ?? '').includes('json')) {
    answer.textContent = response.status + '\\n\\n' + JSON.stringify(JSON.parse(text), null, 2);
  }
}

for (const form of document.forms) {
  const answer = form.querySelector('[data-answer]');
  const stop = form.querySelector('[data-stop]');
  let running;
  stop.addEventListener('click', () => running?.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    running?.abort();
    running = new AbortController();
    stop.hidden = false;
    try {
      await send(form, answer, running.signal);
    } catch (error) {
      answer.append('\\n' + (error.name === 'AbortError' ? 'Stopped.' : String(error)));
    } finally {
      stop.hidden = true;
    }
  });
}
`;

/** The style of `/docs`, in the colours of the page. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #17181c);
  --soft: light-dark(#f7f7f5, #1d1f24);
  --hover: light-dark(#efeeeb, #2a2d34);
  --line: light-dark(#e4e2dd, #31353d);
  --strong: light-dark(#8a867d, #767c88);
  --text: light-dark(#1f1e1b, #e8e7e4);
  --muted: light-dark(#65625b, #a3a7b0);
  --accent: light-dark(#3451c6, #9db2ff);
  --on-accent: light-dark(#ffffff, #10142a);
}
* { box-sizing: border-box; }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; background: var(--bg); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; letter-spacing: -.01em; }
h2 { margin: 2.5rem 0 .25rem; font-size: 1.125rem; }
h2 + p { margin: 0 0 .75rem; color: var(--muted); }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .375rem; margin: 1.25rem 0; }
nav a { padding: .375rem .875rem; border: 1px solid var(--line); border-radius: 999px; text-decoration: none; }
code, pre, input, textarea { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { max-height: 30rem; margin: .75rem 0; padding: .75rem 1rem; overflow: auto; border-radius: 8px; background: var(--soft); }
details { margin: .375rem 0; border: 1px solid var(--line); border-radius: 10px; }
details[open] > summary { border-bottom: 1px solid var(--line); }
details > :not(summary) { margin-right: 1rem; margin-left: 1rem; }
details details { margin: .75rem 1rem 1rem; }
summary { padding: .625rem 1rem; overflow-wrap: anywhere; border-radius: 10px; cursor: pointer; }
summary:hover { background: var(--hover); }
summary code { margin-right: .5rem; font-weight: 600; }
.method { display: inline-block; min-width: 4.25rem; color: var(--accent); font: 700 12px/1.5 ui-monospace, monospace; }
form { margin: .75rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; }
form label { display: block; margin-bottom: .75rem; }
small { color: var(--muted); }
input, textarea { display: block; width: 100%; margin-top: .25rem; padding: .5rem .625rem; border: 1px solid var(--strong); border-radius: 6px; background: transparent; color: inherit; }
#token { display: inline-block; width: 20rem; max-width: 100%; margin: 0 .5rem; }
button { min-height: 2.75rem; padding: .25rem 1.125rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button[data-stop] { border: 1px solid var(--strong); background: transparent; color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
