import { endedByServer } from '#lib/session.ts';

let forced = false;

/**
 * Leaves the page of a session that is over here, without a question about unsaved changes. A user who stayed would see the
 * page of the user before, and could save its forms under their own name.
 */
export function forceLeave(go: () => void): void {
  forced = true;
  go();
}

/** Whether unsaved changes cannot stay: the session is over. */
export const mustLeave = (): boolean => forced || endedByServer();
