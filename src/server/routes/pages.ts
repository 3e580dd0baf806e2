import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { OpenApiDocument } from '../openapi.ts';

export function addPageRoutes(app: HttpApp): void {
  let made: Promise<OpenApiDocument> | undefined;
  const readDocument = () => {
    made ??= import('../openapi.ts').then(({ openApiDocument }) => openApiDocument());
    return made;
  };

  app.get('/openapi.json', readDocument);

  const sendPage = async (_request: HttpRequest, reply: HttpReply) => {
    const { docsPage, DOCS_POLICY } = await import('../docs-page.ts');
    return reply
      .header('content-security-policy', DOCS_POLICY)
      .type('text/html; charset=utf-8')
      .send(docsPage(await readDocument()));
  };
  app.get('/docs', sendPage);
  app.get('/', sendPage);
}
