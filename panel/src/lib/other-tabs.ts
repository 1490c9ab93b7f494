import { endedByServer, endedKey, leave, leavePlace, loadAnew, token, tokenKey } from '#lib/session.ts';

/** Follows a sign-out in another tab. If the server ended the session, this tab keeps its place and what was typed, too. */
export function watchOtherTabs(): void {
  addEventListener('storage', event => {
    if (event.key !== tokenKey || event.newValue !== null || endedByServer()) return;
    // Another tab has signed in since, perhaps as another user.
    if (token()) loadAnew();
    else if (localStorage.getItem(endedKey)) leavePlace();
    else leave();
  });
}
