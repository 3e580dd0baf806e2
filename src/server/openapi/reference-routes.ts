import type { HttpApp } from '../http/app.ts';
import type { HttpRequest } from '../http/request.ts';
import type { OpenApiDocument } from './openapi.ts';

export function addReferenceRoutes(app: HttpApp): void {
  let made: Promise<OpenApiDocument> | undefined;
  const readDocument = async ({ base }: HttpRequest) => {
    made ??= import('./openapi.ts').then(({ openApiDocument }) => openApiDocument());
    return { ...(await made), servers: [{ url: base || '/' }] };
  };

  app.get('/openapi.json', readDocument);

  app.get('/docs', async (request, reply) => {
    const { docsPage, DOCS_POLICY } = await import('./docs-page.ts');
    return reply
      .header('content-security-policy', DOCS_POLICY)
      .type('text/html; charset=utf-8')
      .send(docsPage(await readDocument(request)));
  });
  // Files of their own, so that the page's policy needs no exception for inline code.
  app.get('/docs/script.js', async (_request, reply) => {
    const { DOCS_SCRIPT } = await import('./docs-page.ts');
    return reply.type('text/javascript; charset=utf-8').send(DOCS_SCRIPT);
  });
  app.get('/docs/style.css', async (_request, reply) => {
    const { DOCS_STYLE } = await import('./docs-page.ts');
    return reply.type('text/css; charset=utf-8').send(DOCS_STYLE);
  });
}
