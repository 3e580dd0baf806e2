import { describeUnknownKey } from '../config/describe-issue.ts';
import { AppError } from '../errors.ts';
import type { AttachedFile } from '../runtime/attached-file.ts';
import { MAX_FILES } from '../schema/chat.ts';
import { brokenForm, MAX_FILE_BYTES, MAX_TOTAL_BYTES, tooLarge, tooManyFiles } from './attachments.ts';
import type { HttpApp } from './http/app.ts';
import { hasBody } from './http/read-body.ts';
import type { HttpRequest } from './http/request.ts';
import { createIntake } from './intake.ts';
import { invalidAt } from './parse.ts';

const MAX_FIELD_BYTES = 4 * 1024 * 1024;
const FORM_ROUTES = new Set(['/agent/:name/chat', '/agent/:name/chat/stream']);
const FORM_PATH = /^\/agent\/[^/]+\/chat(\/stream)?$/;
const FORM_TYPES = ['application/json', 'multipart/form-data'];
const FIELDS = ['message', 'session_id'];

/** A form as it was read: text fields by name, and the files. */
export class Form {
  readonly fields: Record<string, string> = {};
  readonly files: AttachedFile[] = [];
}

/** Forms are taken where files may be attached, and nowhere else. */
export function addFormReader(app: HttpApp): void {
  app.addHook(({ method, path, headers, raw }) => {
    if (method !== 'POST' || !FORM_PATH.test(path) || !hasBody(raw)) return;
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (FORM_TYPES.includes(type)) return;
    throw new AppError('unsupported_media_type', { detail: `Send ${FORM_TYPES.join(', or ')}.` });
  });
  app.addBodyReader('multipart/form-data', async (request) => {
    if (!FORM_ROUTES.has(request.route)) {
      throw new AppError('unsupported_media_type', { detail: 'Send application/json.' });
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_TOTAL_BYTES + MAX_FIELD_BYTES) {
      throw tooLarge('Files may have 100 MB together.');
    }
    return readForm(request);
  });
}

async function readForm(request: HttpRequest): Promise<Form> {
  const payload = request.raw;
  const { Busboy } = await import('@fastify/busboy');
  const form = new Form();
  const limits = { files: MAX_FILES, fileSize: MAX_FILE_BYTES, fields: 10, fieldSize: MAX_FIELD_BYTES, parts: 24 };
  const contentType = request.headers['content-type'] ?? '';
  const parser = openParser(() => new Busboy({ headers: { ...request.headers, 'content-type': contentType }, limits }));
  const intake = createIntake();
  try {
    await new Promise<void>((resolve, reject) => {
      // The rest is read and thrown away first: a client that is still sending would not see the answer.
      const fail = (error: unknown) => {
        payload.unpipe(parser);
        payload.once('close', () => reject(error));
        payload.once('end', () => reject(error));
        payload.resume();
        if (payload.readableEnded || payload.destroyed) reject(error);
      };
      parser.on('field', (name: string, value: string) => {
        if (FIELDS.includes(name)) form.fields[name] = value;
        else fail(unknownField(name));
      });
      parser.on('file', (name, stream, filename, _encoding, mimeType) => {
        if (name !== 'files' && name !== 'file') fail(unknownField(name));
        stream.on('limit', () => fail(tooLarge('A file may have 50 MB.')));
        intake.take(stream, { filename: filename || 'file', mimeType }).catch(fail);
      });
      parser.on('filesLimit', () => fail(tooManyFiles()));
      for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
        parser.on(limit, () => fail(invalidAt({ path: [], message: 'the form has too many parts' })));
      }
      parser.on('error', (error: unknown) => fail(brokenForm(error)));
      parser.on('finish', () => resolve());
      payload.on('error', fail);
      payload.on('aborted', () => fail(brokenForm(undefined)));
      payload.pipe(parser);
    });
    form.files.push(...(await intake.files()));
    return form;
  } catch (error) {
    await intake.discard();
    throw error;
  }
}

function openParser<Parser>(open: () => Parser): Parser {
  try {
    return open();
  } catch (error) {
    throw brokenForm(error);
  }
}

function unknownField(name: string): AppError {
  if (name === 'files') return invalidAt({ path: ['files'], message: 'must be a file with a filename, not a text' });
  return invalidAt(describeUnknownKey([name], [...FIELDS, 'files']));
}
