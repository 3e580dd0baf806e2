import type { FastifyInstance } from 'fastify';
import type { ServerDeps } from '../deps.ts';

export function addPageRoutes(app: FastifyInstance, _deps: ServerDeps): void {
  app.get('/openapi.json', async () => (await import('../openapi.ts')).openApiDocument());

  app.get('/docs', async (_request, reply) => {
    const { docsPage, DOCS_POLICY } = await import('../docs-page.ts');
    const { openApiDocument } = await import('../openapi.ts');
    return reply
      .header('content-security-policy', DOCS_POLICY)
      .type('text/html; charset=utf-8')
      .send(docsPage(openApiDocument()));
  });

  app.get('/', async (_request, reply) => reply.redirect('/docs'));
}
