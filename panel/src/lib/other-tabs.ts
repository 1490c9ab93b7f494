import { forceLeave } from '#lib/forced-leave.ts';
import { endedByServer, endedKey, leave, leavePlace, loadAnew, token, tokenKey } from '#lib/session.ts';

/**
 * Follows a sign-out in another tab. If the server ended the session, this tab keeps its place and what was typed, too. `signedIn`:
 * another tab signed in, perhaps as another user.
 */
export function watchOtherTabs(signedIn: () => void): void {
  addEventListener('storage', event => {
    if (event.key !== tokenKey || endedByServer()) return;
    if (event.newValue !== null) return signedIn();
    // Another tab has signed in since, perhaps as another user.
    if (token()) loadAnew();
    else if (localStorage.getItem(endedKey)) leavePlace();
    else forceLeave(leave);
  });
}
