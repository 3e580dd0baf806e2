/**
 * Stands in for parts of @ag-ui/client that the page never reaches: protobuf (the page accepts Server-Sent Events only),
 * patches of shared state (turns are kept in the page's own store), and the reading of cut-off arguments, which the
 * client does for subscribers and leaves out where it fails.
 */
export const AGUI_MEDIA_TYPE = 'application/vnd.ag-ui.event+proto';

export class AGUIUnknownEventTypeError extends Error {}

function refuse(): never {
  throw new Error('This part of the AG-UI client is not in the page.');
}

export const encode = () => refuse();
export const decode = () => refuse();
/** `applyPatch` is of fast-json-patch; untruncate-json is called itself. */
export default Object.assign(refuse, { applyPatch: refuse });
