import { createHandler } from 'holodeck';
import { openRuntime } from '../../../../../agents.js';

let handler;
async function handle({ request }) {
  handler ??= createHandler(await openRuntime(), {
    basePath: '/api/agents',
    user: ({ headers }) => /session=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1],
  });
  return handler(request);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
