import type { OnlineSession } from '@portico/contract/sessions.ts';
import { Guest } from '#features/sessions/guest.tsx';
import { SessionState } from '#features/sessions/session-state.tsx';
import classes from '#features/sessions/sessions.module.css';

/** A guest in a list of those online. All of them are, so the row has a status only while the router is asked for something. */
export function OnlineGuest({ session }: { session: OnlineSession }) {
  return (
    <>
      <Guest name={session.name} client={session.client} />
      {session.kick && (
        <span className={classes.command}>
          <SessionState kick={session.kick} device={session.device} />
        </span>
      )}
    </>
  );
}
