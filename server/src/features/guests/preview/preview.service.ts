import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { SignInView } from '@portico/contract/guests.ts';
import type { PortalMessages } from '@portico/contract/portal-messages.ts';
import { completeProviders, storedProviders } from '@portico/contract/portal-providers.ts';
import { unsavedPortalId } from '@portico/contract/portals.ts';
import type { PreviewDraft } from '@portico/contract/preview.ts';
import { isValidPreviewToken, pictureUrls } from '#features/portals/public.ts';
import { AppError, found } from '#http/app-error.ts';
import type { Tenant } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import { common, type Frame, offeredMethods, portalView } from '../guest-views.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { marketingBoxes } from '../sign-in/marketing.ts';
import { methodView } from '../sign-in/method-fields.ts';
import { adView } from '../surveys/advertisements.ts';
import { findPreview, type PreviewRow } from './preview.queries.ts';

interface Previewed {
  readonly tenant: Tenant;
  readonly portalId: string;
  /** Needed to see the draft; without it the preview shows what guests see. */
  readonly token: string | undefined;
}

/** A portal that the setup has not saved yet. */
const unsaved: PreviewRow = {
  portal: {
    id: unsavedPortalId,
    name: '',
    styles: {},
    providers: [],
    messages: {},
    agreements: {},
    rules: [],
    ads: [],
  },
  location_name: null,
  available: null,
};

/** Throws not_allowed, unless the token allows drafts of this portal. */
export function requirePreviewToken(
  { secrets }: Pick<App, 'secrets'>,
  { tenant, portalId }: Omit<Previewed, 'token'>,
  token: string,
): void {
  if (!isValidPreviewToken(secrets, { tenantId: tenant.id, portalId }, token)) throw new AppError('not_allowed');
}

/** A portal as its guests would see it, with the editor's unsaved changes. No method works. */
export async function previewView(
  app: App,
  { tenant, portalId, token }: Previewed,
  frame: Frame,
  draft: PreviewDraft,
): Promise<SignInView> {
  const drafts = token !== undefined;
  if (drafts) requirePreviewToken(app, { tenant, portalId }, token);
  const row =
    portalId === unsavedPortalId
      ? unsaved
      : found(await app.db.withTenant(tenant.id, tx => findPreview(tx, portalId, drafts)));
  const portal = applied(app, tenant, { ...row.portal, available: row.available ?? [] }, draft);
  return {
    page: 'sign-in',
    ad: adView(portal.ads.find(it => it.type === 'image')),
    ...common(frame),
    language: (draft.language ?? frame.language) satisfies PortalLanguage,
    languageLink: '#{lang}',
    portal: portalView(portal),
    locationName: row.location_name ?? portal.name,
    methods: offeredMethods(portal, app.settings).map(methodView),
    social: [],
    socialAction: '#',
    action: '#',
    state: '',
    agreements: (['general', 'kvkk'] as const)
      .filter(kind => Object.values(portal.agreements[kind] ?? {}).some(Boolean))
      .map(kind => ({ kind, href: '#' })),
    agree: agreementVersion(portal),
    marketing: marketingBoxes(portal, draft.language ?? frame.language),
    ticked: [],
    problem: null,
    problemValues: {},
    chosen: null,
    wrong: [],
    code: null,
    values: {},
  };
}

function applied(app: App, tenant: Tenant, portal: PortalRow, draft: PreviewDraft): PortalRow {
  const pictures = pictureUrls(app, tenant);
  const styles = Object.fromEntries(
    Object.entries(draft.styles)
      .filter(([, value]) => value !== undefined)
      // As when saving, only the tenant's own pictures are accepted.
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
    providers: draft.providers ? completeProviders(draft.providers) : storedProviders(portal.providers),
  };
}

const isPicture = (key: string): boolean => key === 'portal_logo' || key === 'background_image';
