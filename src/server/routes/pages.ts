import type { HttpApp } from '../http/app.ts';
import type { OpenApiDocument } from '../openapi.ts';

export function addPageRoutes(app: HttpApp): void {
  let made: Promise<OpenApiDocument> | undefined;
  const readDocument = () => {
    made ??= import('../openapi.ts').then(({ openApiDocument }) => openApiDocument());
    return made;
  };

  app.get('/openapi.json', readDocument);

  app.get('/docs', async (_request, reply) => {
    const { docsPage, DOCS_POLICY } = await import('../docs-page.ts');
    return reply
      .header('content-security-policy', DOCS_POLICY)
      .type('text/html; charset=utf-8')
      .send(docsPage(await readDocument()));
  });

  app.get('/', async (_request, reply) => reply.redirect('/docs'));
}
