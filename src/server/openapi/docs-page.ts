import { escapeHtml, operationHtml, type ShownOperation } from './docs-operation.ts';
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
  const title = `${info.title} ${info.version}`;
  const links = tags.map(({ name }) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/docs/style.css"><script type="module" src="/docs/script.js"></script></head><body>
<h1>${escapeHtml(title)}</h1><p>${escapeHtml(String(info.description))} The same as data: <a href="/openapi.json">openapi.json</a>.</p>
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
