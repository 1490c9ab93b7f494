import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { GuestRequest } from '../arrival/check-arrival.ts';
import { type OnlineFacts, packState, type Visit } from '../guest-state.ts';

/** The path of the page of a guest who is online, or about to be. */
export const onlinePath = ({ secrets }: App, visit: Visit, facts: OnlineFacts): string =>
  `/w/${visit.nas}/online?s=${packState(secrets, { step: 'online', visit, ...facts })}`;

/** The same as an absolute address, to which the router sends the guest after the sign-in. */
export const onlineUrl = (app: App, { context, visit }: GuestRequest, facts: OnlineFacts): string =>
  `${captiveOrigin(app.settings, context.tenant_slug)}${onlinePath(app, visit, facts)}&new=1`;
