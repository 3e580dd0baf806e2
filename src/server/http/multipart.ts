import type { Readable } from 'node:stream';
import type { BusboyInstance } from '@fastify/busboy';
import { AppError } from '../../errors.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import { MAX_FILES } from '../../schema/conversation/chat.ts';
import { describeUnknownKey } from '../../yaml/describe-issue.ts';
import {
  brokenForm,
  createIntake,
  type Intake,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
  tooLarge,
  tooManyFiles,
} from '../rest/attachments.ts';
import type { HttpApp } from './app.ts';
import { invalidAt } from './parse.ts';
import type { HttpRequest } from './request.ts';

const MAX_FIELD_BYTES = 4 * 1024 * 1024;
const FORM_ROUTES = new Set(['/agent/:name/chat', '/agent/:name/chat/stream']);
const FORM_PATH = /^\/agent\/[^/]+\/chat(\/stream)?$/;
const FORM_TYPES = ['application/json', 'multipart/form-data'];
const FIELDS = ['message', 'session_id', 'response_format', 'metadata'];

/** A parsed form: text fields by name, and the files. */
export class Form {
  readonly fields: Record<string, string> = {};
  readonly files: AttachedFile[] = [];
}

/** Accepts forms only on routes where files may be attached. */
export function addFormReader(app: HttpApp): void {
  app.addHook(({ method, path, headers, source }) => {
    if (method !== 'POST' || !FORM_PATH.test(path) || !source.hasBody) return;
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (FORM_TYPES.includes(type)) return;
    throw new AppError('unsupported_media_type', { detail: `Send ${FORM_TYPES.join(', or ')}.` });
  });
  app.addBodyReader('multipart/form-data', async (request) => {
    if (!FORM_ROUTES.has(request.route)) {
      throw new AppError('unsupported_media_type', { detail: 'Send application/json.' });
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_TOTAL_BYTES + MAX_FIELD_BYTES) {
      throw tooLarge('The files are larger than 100 MB in total. Send fewer or smaller files.');
    }
    return readForm(request);
  });
}

async function readForm(request: HttpRequest): Promise<Form> {
  const parser = await openParser(request);
  const form = new Form();
  const intake = createIntake();
  try {
    await new Promise<void>((resolve, reject) => {
      let isRefused = false;
      const fail = (error: unknown) => {
        isRefused = true;
        request.source.body.unpipe(parser);
        reject(error);
      };
      takeParts(parser, { form, intake, fail });
      watchFaults(request.source.body, parser, fail);
      // `finish` is also emitted for a form that was cut off.
      parser.on('finish', () => isRefused || resolve());
      request.source.body.pipe(parser);
    });
    form.files.push(...(await intake.files()));
    return form;
  } catch (error) {
    await intake.discard();
    throw error;
  }
}

async function openParser({ headers }: HttpRequest): Promise<BusboyInstance> {
  // A bundle of this CommonJS package has no named exports.
  const { default: busboy } = await import('@fastify/busboy');
  const limits = { files: MAX_FILES, fileSize: MAX_FILE_BYTES, fields: 10, fieldSize: MAX_FIELD_BYTES, parts: 24 };
  try {
    return new busboy.Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch (error) {
    throw brokenForm(error);
  }
}

type Fail = (error: unknown) => void;

/** Stores fields in the form and passes files to the intake. */
function takeParts(parser: BusboyInstance, { form, intake, fail }: { form: Form; intake: Intake; fail: Fail }): void {
  parser.on('field', (name, value) => {
    if (FIELDS.includes(name)) form.fields[name] = value;
    else fail(unknownField(name));
  });
  parser.on('file', (name, stream, filename, _encoding, mimeType) => {
    if (name !== 'files' && name !== 'file') fail(unknownField(name));
    stream.on('limit', () => fail(tooLarge('A file is larger than 50 MB. Send a smaller one.')));
    intake.take(stream, { filename: filename || 'file', mimeType }).catch(fail);
  });
}

function watchFaults(payload: Readable, parser: BusboyInstance, fail: Fail): void {
  const tooManyParts = () => invalidAt({ path: [], message: 'the form has too many parts' });
  parser.on('filesLimit', () => fail(tooManyFiles()));
  parser.on('fieldsLimit', () => fail(tooManyParts()));
  parser.on('partsLimit', () => fail(tooManyParts()));
  parser.on('error', (error) => fail(brokenForm(error)));
  payload.on('error', fail);
  payload.on('aborted', () => fail(brokenForm(undefined)));
}

function unknownField(name: string): AppError {
  if (name === 'files') return invalidAt({ path: ['files'], message: 'must be a file with a filename, not text' });
  return invalidAt(describeUnknownKey([name], [...FIELDS, 'files']));
}
