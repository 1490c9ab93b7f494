import type { GuestView } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PortalMessages } from '@portico/contract/portal-messages.ts';
import { completeProviders, providersFor, storedProviders } from '@portico/contract/portal-providers.ts';
import { pictureStyles } from '@portico/contract/portal-styles.ts';
import { unsavedPortalId } from '@portico/contract/portals.ts';
import type { PreviewDraft } from '@portico/contract/preview.ts';
import { allowedProviders } from '#features/integrations/public.ts';
import { isValidPreviewToken, pictureUrls, previewedPage } from '#features/portals/public.ts';
import { AppError, found } from '#http/app-error.ts';
import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { offersAt } from '../buy/offers.service.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { Frame } from '../guest-views.ts';
import { findPreview, findSizes, type PreviewRow } from './preview.queries.ts';
import { pageView } from './preview-pages.ts';

interface Previewed {
  readonly tenant: Tenant;
  readonly portalId: string;
  /** Needed to see the draft; without it the preview shows what guests see. */
  readonly token: string | undefined;
  /** A published version to show; needs the token too. */
  readonly version?: string | undefined;
}

/** A portal that the setup has not saved yet. */
const unsaved: PreviewRow = {
  portal: {
    id: unsavedPortalId,
    name: '',
    styles: {},
    providers: providersFor([]),
    messages: {},
    agreements: {},
    page: {},
    rules: [],
    sizes: {},
    ads: [],
  },
  location_name: null,
  location_id: null,
  available: null,
  questions: null,
  social: [],
  sells: false,
  restores: false,
};

/** Throws not_allowed, unless the token allows drafts of this portal. */
export function requirePreviewToken(
  { secrets }: Pick<App, 'secrets'>,
  { tenant, portalId }: Pick<Previewed, 'tenant' | 'portalId'>,
  token: string,
): void {
  if (!isValidPreviewToken(secrets, { tenantId: tenant.id, portalId }, token)) throw new AppError('not_allowed');
}

/** A portal as its guests would see it, with the editor's unsaved changes. No method works. */
export async function previewView(
  app: App,
  { tenant, portalId, token, version }: Previewed,
  frame: Frame,
  draft: PreviewDraft,
): Promise<GuestView> {
  const drafts = token !== undefined;
  if (drafts) requirePreviewToken(app, { tenant, portalId }, token);
  const row =
    portalId === unsavedPortalId
      ? unsaved
      : found(
          await app.db.withTenant(tenant.id, tx =>
            findPreview(tx, portalId, {
              drafts,
              version: (drafts && version) || null,
              providers: allowedProviders(app),
            }),
          ),
        );
  const drawn = applied(app, tenant, { ...row.portal, available: row.available ?? [] }, draft);
  // The draft may name pictures that the stored portal does not.
  const { sizes } = await app.db.withTenant(tenant.id, tx => findSizes(tx, JSON.stringify(drawn)));
  const portal = { ...drawn, sizes };
  const language = (draft.language ?? frame.language) satisfies PortalLanguage;
  const shown = { ...frame, language };
  const { location_id: locationId } = row;
  const isShop = draft.view.page === 'buy' || draft.view.page === 'confirm';
  const shop = isShop && locationId ? await offersAt(app, { tenantId: tenant.id, location_id: locationId }) : null;
  return pageView(app, shown, { ...row, portal, shop, place: row.location_name ?? portal.name }, draft.view);
}

function applied(app: App, tenant: Tenant, portal: PortalRow, draft: PreviewDraft): PortalRow {
  const pictures = pictureUrls(app, tenant);
  const styles = Object.fromEntries(
    Object.entries(draft.styles)
      .filter(([, value]) => value !== undefined)
      // Only the tenant's own pictures are accepted, as when saving.
      .map(([key, value]) => [
        key,
        isPicture(key) && typeof value === 'string' ? (pictures.toPath(value) ?? null) : value,
      ]),
  );
  const messages = { ...portal.messages } as Record<string, object | undefined>;
  for (const [key, texts] of Object.entries(draft.messages)) messages[key] = { ...messages[key], ...texts };
  return {
    ...portal,
    styles: { ...portal.styles, ...styles },
    messages: messages as Partial<PortalMessages>,
    page: { ...portal.page, ...previewedPage(draft.page, pictures) },
    providers: draft.providers ? completeProviders(draft.providers) : storedProviders(portal.providers),
  };
}

const isPicture = (key: string): boolean => (pictureStyles as readonly string[]).includes(key);
