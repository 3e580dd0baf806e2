import { AppError } from '../errors.ts';
import { providerFacts } from '../schema/provider.ts';
import { badReply, modelError } from './model-errors.ts';
import type { Origin } from './origin.ts';

const TLS_CODE = /^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;
const UNTRUSTED = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** Maps a failed or broken connection to an AppError. */
export function explainNetwork(origin: Origin, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = findCode(error);
  if (code.startsWith('HPE_')) return badReply(origin, 'did not answer with HTTP. Check model.endpoint', error);
  if (code.startsWith('Z_')) return badReply(origin, 'sent a compressed reply that could not be read', error);
  return modelError('model_unavailable', { author: describeFault(origin, code), cause: error });
}

/** Maps an error in the middle of a reply. */
export function explainCut(origin: Origin, error: unknown): AppError {
  const explained = explainNetwork(origin, error);
  if (explained.code === 'model_bad_reply') return explained;
  return badReply(origin, 'broke off in the middle of its reply. Please try again', error);
}

function describeFault({ host, provider }: Origin, code: string): string {
  const { endpoint = '', startAdvice: advice = 'Is it running? Check model.endpoint.' } = providerFacts(provider);
  const start = URL.parse(endpoint)?.host === host ? advice : advice.replace(/`\.$/, '`, or correct model.endpoint.');
  if (code === 'ECONNREFUSED') return `Nothing answers at ${host}. ${start}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${host} was not found. Check model.endpoint and the network.`;
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return `${host} could not be reached. Check the network.`;
  if (UNTRUSTED.test(code))
    return `The certificate of ${host} is not trusted, so nothing was sent. Check model.endpoint.`;
  if (TLS_CODE.test(code))
    return `No secure connection to ${host} could be made. Check that model.endpoint begins with the right http or https.`;
  return `The connection to ${host} was closed before the reply came. Please try again in a moment.`;
}

/** Errors of fetch hold the socket's error as their cause; errors of several addresses hold a list. */
function findCode(error: unknown): string {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; depth++) {
    if ('code' in current && typeof current.code === 'string' && current.code !== '') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return '';
}
