import type { FastifyRequest } from 'fastify';
import type { JsonRows } from '#db/json-rows.ts';

export interface Rows<T> {
  readonly rows: T[];
  readonly total: number;
}

/** A page of rows that are written already. */
export interface JsonPage<T> {
  readonly rows: JsonRows<T>;
  readonly total: number;
}

/** A list reply with its links and totals (decisions, section 2). */
export function paged<T>(
  call: { request: FastifyRequest; query: { page: number; per_page: number } },
  { rows, total }: Rows<T> | JsonPage<T>,
) {
  const { page, per_page } = call.query;
  const { path, link } = linksOf(call.request.url, call.query);
  const last = Math.max(1, Math.ceil(total / per_page));
  const first = (page - 1) * per_page;
  return {
    // Written rows stay so until they are sent: to a handler's type they are the rows that they say.
    data: rows as T[],
    links: {
      first: link(1),
      last: link(last),
      prev: page > 1 ? link(Math.min(page - 1, last)) : null,
      next: page < last ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: rows.length ? first + 1 : null,
      to: rows.length ? first + rows.length : null,
      last_page: last,
      path,
      per_page,
      total,
    },
  };
}

interface Links {
  readonly url: string;
  readonly path: string;
  readonly link: (page: number) => string;
}
const known = new WeakMap<object, Links>();

/** Links to pages of a list, with what else was asked: its place is found once for all of them, and for a query that is asked again. */
function linksOf(url: string, query: object): Links {
  const before = known.get(query);
  if (before?.url === url) return before;
  const [path, search = ''] = url.split('?', 2) as [string, string?];
  const made = { url, path, link: linkTo(path, search) };
  known.set(query, made);
  return made;
}

function linkTo(path: string, search: string): (page: number) => string {
  const query = new URLSearchParams(search);
  // No query holds it by itself: it stands where the number goes.
  query.set('page', '\0');
  const [before = '', after = ''] = query.toString().split('%00', 2);
  return page => `${path}?${before}${page}${after}`;
}
