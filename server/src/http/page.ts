import type { FastifyRequest } from 'fastify';

export interface Rows<T> {
  readonly rows: T[];
  readonly total: number;
}

/** A list reply with its links and totals (decisions, section 2). */
export function paged<T>(
  call: { request: FastifyRequest; query: { page: number; per_page: number } },
  { rows, total }: Rows<T>,
) {
  const { page, per_page } = call.query;
  const { path, link } = linksOf(call.request.url);
  const last = Math.max(1, Math.ceil(total / per_page));
  const first = (page - 1) * per_page;
  return {
    data: rows,
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

/** A page of a short list that was read whole. */
export const whole = <T>(call: Parameters<typeof paged>[0], rows: T[]) => {
  const { page, per_page } = call.query;
  return paged(call, { rows: rows.slice((page - 1) * per_page, page * per_page), total: rows.length });
};

/** The path of a request, and links to other pages of it with the same filters. */
function linksOf(url: string): { path: string; link: (page: number) => string } {
  const [path, search = ''] = url.split('?', 2) as [string, string?];
  const query = new URLSearchParams(search);
  return {
    path,
    link: page => {
      query.set('page', String(page));
      return `${path}?${query.toString()}`;
    },
  };
}
