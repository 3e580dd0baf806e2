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
