import type { UsernameSignIn } from '@portico/contract/guest-forms.ts';
import { createBrowser, type Form, formsOf, linksOf, type Page } from './browser.ts';
import { deviceHeader } from './hotspot-pages.ts';
import type { Router } from './router.ts';
import type { GuestDevice } from './session.ts';
import { userAgentOf } from './user-agents.ts';

export interface Visitor {
  readonly username: string;
  readonly password: string;
  /** Visitors and routers of the same location belong together. */
  readonly location?: string | undefined;
}

export type SignInResult = 'accepted' | 'rejected' | 'no-answer';
export type SignIn = (router: Router, device: GuestDevice, visitor: Visitor) => Promise<SignInResult>;

/** Signs in at the router itself, as RouterOS does after the portal has sent the guest back. */
export const signInDirectly: SignIn = async (router, device, visitor) =>
  (await router.signIn(device, visitor.username, visitor.password)).outcome;

// The typed names hold a misspelt one against the contract; the security code is asked for on some portals only.
const typed = ['username', 'password'] as const satisfies readonly (keyof UsernameSignIn)[];
const usernameForm = (page: Page): Form | undefined =>
  formsOf(page).find(form => typed.every(name => form.names.has(name)));

const toUsernameForm = async (open: (url: string) => Promise<Page>, page: Page): Promise<Form | undefined> => {
  const form = usernameForm(page);
  if (form) return form;
  const link = linksOf(page).find(href => href.includes('username'));
  return link ? usernameForm(await open(link)) : undefined;
};

/**
 * Signs in as a browser does: opens a page, is sent to the portal, fills in the username form, ticks the agreements and
 * is sent back to the router. `no-answer` when the portal or the RADIUS server does not answer.
 */
export const signInByPortal: SignIn = async (router, device, visitor) => {
  const isRouter = (origin: string): boolean => origin === router.hotspotUrl;
  const browser = createBrowser({
    headersFor: (origin): Record<string, string> => ({
      'user-agent': userAgentOf(device.mac),
      ...(isRouter(origin) && { [deviceHeader]: device.mac }),
    }),
    // Once online the way leads to the real internet, where a pretend guest has no business.
    follows: url => isRouter(url.origin) || !router.session(device.mac),
  });
  try {
    const form = await toUsernameForm(browser.open, await browser.open(`${router.hotspotUrl}/news`));
    if (!form) return 'no-answer';
    form.fields.set('method', 'username');
    form.fields.set('username', visitor.username);
    form.fields.set('password', visitor.password);
    const after = await browser.submit(form);
    const back = linksOf(after).find(href => href.startsWith(`${router.hotspotUrl}/login`));
    if (back && !router.session(device.mac)) await browser.open(back);
  } catch {
    return 'no-answer';
  }
  return router.session(device.mac) ? 'accepted' : 'rejected';
};
