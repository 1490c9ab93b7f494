/** The router refuses longer parts of a path, and parts that are no UTF-8, before any page can be rendered. */
export const maxPartLength = 300;

/** A path without a page. */
const unknownPath = '/unknown';

const isReadable = (path: string): boolean => {
  if (path.length > maxPartLength && path.split('/').some(part => part.length > maxPartLength)) return false;
  if (!path.includes('%')) return true;
  try {
    // The result is used, because the bundler drops a call whose result is not.
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
};

/** A path that the router would refuse leads to the page for unknown addresses, in the language of the query. */
export function readablePath(url: string): string {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  return isReadable(path) ? url : unknownPath + (at < 0 ? '' : url.slice(at));
}
