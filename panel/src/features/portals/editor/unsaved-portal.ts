import type { Location } from '@portico/contract/locations.ts';
import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import { defaultMessages } from '@portico/contract/portal-messages.ts';
import { fullPage } from '@portico/contract/portal-page.ts';
import { providersFor } from '@portico/contract/portal-providers.ts';
import { type Portal, unsavedPortalId } from '@portico/contract/portals.ts';

/** The portal that saving creates for a location. */
export const unsavedPortal = ({ id, name, available_providers }: Location): Portal => ({
  id: unsavedPortalId,
  name,
  location_id: id,
  location: { id, name },
  external_id: null,
  used_by: 0,
  created_at: '',
  updated_at: '',
  updated_by: null,
  deleted_at: null,
  has_draft: false,
  draft_at: null,
  warnings: [],
  color_scheme: defaultStyles.color_scheme,
  styles: defaultStyles,
  style_options: [],
  providers: providersFor(available_providers),
  messages: defaultMessages,
  agreements: { kvkk: {}, general: {}, marketing_email: {}, marketing_sms: {}, marketing_call: {} },
  page: fullPage({}),
  redirect_rules: [],
  advertisements: [],
  surveys: [],
});
