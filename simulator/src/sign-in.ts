import type { UsernameSignIn } from '@portico/contract/guest-forms.ts';
import { createBrowser, type Form, formsOf, linksOf, type Page } from './browser.ts';
import { deviceHeader } from './hotspot-pages.ts';
import type { Router } from './router.ts';
import type { GuestDevice } from './session.ts';
import { userAgentOf } from './user-agents.ts';

export interface Visitor {
  readonly username: string;
  readonly password: string;
  /** Visitors use the routers of their own location. */
  readonly location?: string | undefined;
}

export type SignInResult = 'accepted' | 'rejected' | 'no-answer';
export type SignIn = (router: Router, device: GuestDevice, visitor: Visitor) => Promise<SignInResult>;

/** Signs in at the router itself, as RouterOS does after the portal has sent the guest back. */
export const signInDirectly: SignIn = async (router, device, visitor) =>
  (await router.signIn(device, visitor.username, visitor.password)).outcome;

// The types check these names against the contract; only some portals require the security code.
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
 * Signs in like a browser. It opens a page and is redirected to the portal. It fills in the username form, accepts the
 * agreements and is redirected back to the router. Returns `no-answer` when the portal or the RADIUS server does not answer.
 */
export const signInByPortal: SignIn = async (router, device, visitor) => {
  const isRouter = (origin: string): boolean => origin === router.hotspotUrl;
  const browser = createBrowser({
    headersFor: (origin): Record<string, string> => ({
      'user-agent': userAgentOf(device.mac),
      ...(isRouter(origin) && { [deviceHeader]: device.mac }),
    }),
    // After the sign-in the redirect leads to the real internet, which the simulation must not contact.
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
