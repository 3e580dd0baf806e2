import type { OpenApiDocument } from './openapi.ts';

/** The page is only text: nothing is loaded and nothing runs. */
export const DOCS_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { overflow: auto; background: #f4f4f4; padding: .75rem; }
summary { cursor: pointer; padding: .25rem 0; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616; } pre { background: #262626; } a { color: #9cf; } }
`;

/** The API document as a page that people can read without anything from outside. */
export function docsPage(document: OpenApiDocument): string {
  const { info, tags, paths, components } = document;
  const sections = tags.map(({ name, description }) => {
    const operations = operationsOf(paths, name).map(operationHtml).join('\n');
    return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${operations}`;
  });
  const shapes = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${json(schema)}</details>`,
  );
  const title = `${info.title} ${info.version}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(String(info.description))} The same as data: <a href="/openapi.json">openapi.json</a>.</p>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2>${shapes.join('\n')}
</body></html>`;
}

interface Shown {
  method: string;
  path: string;
  operation: Record<string, unknown>;
}

function operationsOf(paths: OpenApiDocument['paths'], tag: string): Shown[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, value]) => {
      const operation = value as Record<string, unknown>; // made by openapi.ts
      return Array.isArray(operation.tags) && operation.tags.includes(tag) ? [{ method, path, operation }] : [];
    }),
  );
}

function operationHtml({ method, path, operation }: Shown): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const parts = { parameters, requestBody, responses };
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(String(summary))}</summary>
${description ? `<p>${escapeHtml(String(description))}</p>` : ''}${json(parts)}</details>`;
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
