import { exampleOf, type Schema } from './docs-example.ts';
import type { OpenApiDocument } from './openapi.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface ShownOperation {
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
export function operationHtml(shown: ShownOperation, document: OpenApiDocument): string {
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

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
