import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { Tx } from '#db/tenant.ts';
import { askGuestConfirmation } from '#features/auth/public.ts';
import { countOneIn, createLimit } from '#features/throttle/public.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { VenueLook } from '#mail/guest-mail-data.ts';
import type { GuestContext } from '../guest-context.ts';
import type { Visit } from '../guest-state.ts';
import { productLanguage } from '../guest-views.ts';

// MACs can be made up and mailboxes may belong to others, so both are limited.
const mailsOfDevice = createLimit('confirmation mails of a device', 5);
const mailsToAddress = createLimit('confirmation mails to an address', 3);

/** The look of the venue's mails: that of its portal. A logo that needs a background of its own is left out. */
export function venueLook({ portal }: GuestContext): VenueLook {
  const {
    primary_color: color,
    logo_type,
    portal_logo,
    logo_background_color,
  } = {
    ...defaultStyles,
    ...portal?.styles,
  };
  return { color, logo: logo_type === 'active' && !logo_background_color ? portal_logo : null };
}

interface Recipient {
  readonly visitorId: string;
  readonly email: string;
  readonly language: PortalLanguage;
}

/** Mails a guest the link that confirms its address. Throws too_many if there were too many. */
export async function mailConfirmation(
  tx: Tx,
  app: App,
  { context, visit }: { readonly context: GuestContext; readonly visit: Visit },
  { visitorId, email, language }: Recipient,
): Promise<void> {
  await countOneIn(tx, app, [
    [mailsOfDevice, `${context.location_id} ${visit.mac}`],
    [mailsToAddress, email],
  ]);
  const origin = captiveOrigin(app.settings, context.tenant_slug);
  await askGuestConfirmation(tx, app, {
    visitorId,
    email,
    language: productLanguage({ language }, context),
    locationId: context.location_id,
    location: context.location_name,
    venue: venueLook(context),
    linkOf: token => `${origin}/w/${visit.nas}/confirm-email?t=${token}&lang=${language}`,
  });
}
