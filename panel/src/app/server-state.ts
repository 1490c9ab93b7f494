/** The states of `/readyz` in which the server answers, but can do nothing yet. */
const states = ['starting', 'draining', 'away', 'read-only', 'full', 'other-key'] as const;
export type ServerState = (typeof states)[number];

/** Undefined for a state that the panel does not know. Fails if no server answers. */
export async function readState(): Promise<ServerState | 'ok' | undefined> {
  const answer = await fetch('/readyz', { cache: 'no-store' });
  const { status } = (await answer.json()) as { status?: string };
  return status === 'ok' ? 'ok' : states.find(it => it === status);
}
