import { api } from '@portico/contract/api.ts';
import { type Endpoint, endpoints, statusesOf } from '@portico/contract/endpoint.ts';
import { type Problem, type ProblemCode, problem, problems } from '@portico/contract/errors.ts';

const segmentsOf = (path: string): string[] => path.split('?', 1)[0]!.replace(/\/$/, '').split('/');

/** By method and number of segments, because a search through all would be slow in tests with many calls. */
const known = new Map<string, { readonly name: string; readonly endpoint: Endpoint; readonly parts: string[] }[]>();
const keyOf = (method: string, parts: readonly string[]): string => `${method} ${parts.length}`;
for (const [name, endpoint] of endpoints(api)) {
  const parts = segmentsOf(endpoint.path);
  const key = keyOf(endpoint.method, parts);
  known.set(key, [...(known.get(key) ?? []), { name, endpoint, parts }]);
}

/** The endpoint that serves a path. Fixed segments win over parameters. */
function endpointAt(method: string, path: string) {
  const asked = segmentsOf(path);
  const fits = (known.get(keyOf(method, asked)) ?? []).filter(({ parts }) =>
    parts.every((part, at) => part.startsWith(':') || part === asked[at]),
  );
  const fixed = (parts: readonly string[]) => parts.map(part => (part.startsWith(':') ? '1' : '0')).join('');
  return fits.sort((a, b) => (fixed(a.parts) < fixed(b.parts) ? -1 : 1))[0];
}

/** Throws when an answer has a status that is not documented, or when a refusal is not a documented problem. */
export function expectDocumented(method: string, path: string, answer: { status: number; body: unknown }): void {
  const found = endpointAt(method, path);
  if (!found) return;
  const { status, body } = answer;
  const about = `${method} ${path} (${found.name}) answered ${status}`;
  if (!statusesOf(found.endpoint).includes(status))
    throw new Error(
      `${about}, which is not documented: declare it in \`refusals\` of the endpoint. ${JSON.stringify(body)}`,
    );
  // A browser gets a page.
  if (status < 400 || typeof body === 'string') return;
  const told: Problem = problem.parse(body);
  if (problems[told.code as ProblemCode]?.status !== status) throw new Error(`${about} with the code ${told.code}`);
}
