import { createHandler } from 'holodeck';
import { openRuntime, readUser } from '../../../../../agents.js';

let handler;
async function handle({ request }) {
  handler ??= createHandler(await openRuntime(), {
    basePath: '/api/agents',
    user: ({ headers }) => readUser(headers.get('cookie')),
  });
  return handler(request);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
