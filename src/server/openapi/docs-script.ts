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
