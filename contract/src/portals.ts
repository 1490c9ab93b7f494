import { z } from 'zod';
import { advertisement, advertisementForm, advertisementsApi } from './advertisements.ts';
import { endpoint, one, page } from './endpoint.ts';
import {
  byExternalIdOfLocation,
  emptiedByNull,
  externalId,
  externalIdParams,
  id,
  idParams,
  locationRef,
  name,
  ofLocations,
  pageQuery,
  shortPageQuery,
  similar,
  text,
  time,
} from './fields.ts';
import { itemDates } from './portal-items.ts';
import { messageKeys, perLanguage, portalMessages } from './portal-messages.ts';
import { portalPage, portalPageForm } from './portal-page.ts';
import { authProvider, provider, providers } from './portal-providers.ts';
import { optionalPicture, portalStyles, styleKeys } from './portal-styles.ts';
import { rule, ruleForm, rulesApi } from './rules.ts';
import { survey, surveyForm, surveysApi } from './surveys.ts';
import { timing } from './timing.ts';

/** Rich text in several languages. Harmful markup is removed when it is saved. */
const richText = perLanguage(100_000);

export const agreementKeys = ['kvkk', 'general'] as const;
/** The sentence beside a box for news and offers; see consent-kinds.ts. */
const marketing = perLanguage(500);
const agreements = z.object({
  kvkk: richText,
  general: richText,
  marketing_email: marketing,
  marketing_sms: marketing,
  marketing_call: marketing,
});
/** Like an unknown message, an unknown agreement is refused: its text would be lost. Null clears the texts of all languages. */
const changedAgreements = z
  .strictObject({
    kvkk: richText.nullable(),
    general: richText.nullable(),
    marketing_email: marketing.nullable(),
    marketing_sms: marketing.nullable(),
    marketing_call: marketing.nullable(),
  })
  .partial();

const style = z.union([z.string(), z.number()]).nullable();

export const portalRow = z.object({
  id,
  /** Its id in another system, see `by-external-id`. */
  external_id: z.string().nullable(),
  name: z.string(),
  location_id: id.nullable(),
  location: z.object({ id, name: z.string() }).nullable(),
  /** The number of locations that use it. */
  used_by: z.number(),
  ...itemDates,
});
export type PortalRow = z.output<typeof portalRow>;

/** The data with which a list draws a portal in small. */
const design = portalStyles.pick({
  layout: true,
  primary_color: true,
  form_background_color: true,
  welcome_message_text_color: true,
  background_type: true,
  background_color: true,
  background_image: true,
  background_art: true,
  portal_logo: true,
  button_shape: true,
});
/** A period in which a location or one of its devices shows the portal, by the clocks of the location. */
const periodOfPortal = timing.extend({
  location: z.object({ id, name: z.string(), time_zone: z.string() }),
  device: z.object({ id, name: z.string() }).nullable(),
});
export const listedPortal = portalRow.extend({ has_draft: z.boolean(), design, periods: z.array(periodOfPortal) });
export type ListedPortal = z.output<typeof listedPortal>;

/**
 * `no_method`: no sign-in method is on. `method_not_given`: a location that shows the portal may use none of the active ones.
 * `agreement_language`: an agreement has no text in some languages.
 */
export const portalWarnings = ['no_method', 'method_not_given', 'agreement_language'] as const;

/** The id of a portal that is not saved yet: its preview shows the starting design. */
export const unsavedPortalId = '00000000-0000-0000-0000-000000000000';

export const portal = portalRow.extend({
  /** Problems that guests of this portal would have, such as no way to sign in. */
  warnings: z.array(z.enum(portalWarnings)),
  /** When the unpublished draft was started; null without a draft. */
  has_draft: z.boolean(),
  draft_at: time.nullable(),
  color_scheme: z.enum(['light', 'dark']),
  styles: portalStyles,
  style_options: z.array(z.object({ key: z.enum(styleKeys), value: style })),
  providers: z.array(provider),
  messages: z.record(z.enum(messageKeys), perLanguage(20_000)),
  agreements,
  /** Further content of the guests' pages. */
  page: portalPage,
  /** The user who changed it last; null if that is not known. */
  updated_by: z.object({ id, full_name: z.string() }).nullable(),
  redirect_rules: z.array(rule),
  advertisements: z.array(advertisement),
  surveys: z.array(survey),
});
export type Portal = z.output<typeof portal>;
/** A portal, and its warnings as texts in the caller's language. */
const portalReply = one(portal).extend({ warnings: z.array(z.string()) });

/** The fields of the general form. Each is the style of its name; `logo` is `portal_logo`. */
const generalForm = portalStyles
  .pick({ color_scheme: true, background_type: true, color_type: true, background_color: true, background_image: true })
  .extend({ logo: optionalPicture });

/** The body of a portal; each tab sends its own part. Omitted styles, messages and agreements stay. */
export const portalForm = generalForm
  .extend({
    name,
    styles: portalStyles.partial(),
    style_options: z.array(z.object({ key: z.enum(styleKeys), value: style })).max(100),
    providers: emptiedByNull(providers, []),
    messages: portalMessages,
    agreements: changedAgreements,
    page: portalPageForm,
  })
  .partial();
export type PortalForm = z.output<typeof portalForm>;
/** The body for a portal with an id of another system. Without `location_id`, a new one belongs to the tenant. */
export const portalByExternalId = portalForm.extend({ location_id: locationRef });
export type PortalByExternalId = z.output<typeof portalByExternalId>;

/**
 * The `updated_at` of the portal that the caller has seen. If the portal has changed since, the answer is 409
 * `portal_changed` and nothing is saved. Without it, the last change wins.
 */
const seenAt = { seen_at: z.string().max(40).optional() };

/** The body of a draft. Each list is sent completely and in order. An item without `id` gets one. */
const kept = z.object({ id: id.optional() });
export const portalDraftForm = portalForm.omit({ name: true }).extend({
  surveys: emptiedByNull(z.array(surveyForm.and(kept)).max(100), []).optional(),
  redirect_rules: emptiedByNull(z.array(ruleForm.and(kept)).max(100), []).optional(),
  advertisements: emptiedByNull(z.array(advertisementForm.and(kept)).max(100), []).optional(),
});
export type PortalDraftForm = z.output<typeof portalDraftForm>;

export const portalParts = [
  'name',
  'styles',
  'providers',
  'messages',
  'agreements',
  'page',
  'surveys',
  'rules',
  'advertisements',
] as const;
/** The portal that guests saw since `created_at`. The newest version is the current one. */
export const portalVersion = z.object({
  id,
  number: z.number(),
  name: z.string(),
  /** The parts that differ from the version before; empty for the first. */
  changes: z.array(z.enum(portalParts)),
  published_by: z.object({ id, full_name: z.string() }).nullable(),
  current: z.boolean(),
  created_at: time,
});
export type PortalVersion = z.output<typeof portalVersion>;

export const imageCollections = ['logo', 'background', 'advertisement', 'content', 'icon'] as const;
export type ImageCollection = (typeof imageCollections)[number];
/** Maximum sizes in bytes: of any picture, and of one within rich text. */
export const imageBytes = { most: 2_000_000, content: 500_000 } as const;
const imageForm = z.object({ collection: z.enum(imageCollections) });
/** `url` is used in a style, an advertisement or rich text. */
export const image = z.object({
  url: z.string(),
  collection: z.enum(imageCollections),
  width: z.number(),
  height: z.number(),
  bytes: z.number(),
});
export type Image = z.output<typeof image>;

export const portalsApi = {
  authProviders: endpoint({
    method: 'GET',
    path: '/v1/panel/auth-provider',
    access: 'signed-in',
    summary: 'Sign-in methods that portals can offer',
    query: z.object(shortPageQuery()),
    reply: page(authProvider),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/portal',
    access: 'view-portals',
    summary: 'Portals',
    query: z.object({
      ...pageQuery(),
      ...ofLocations(),
      search: text.optional(),
      similar,
      external_id: externalId.optional(),
    }),
    reply: page(listedPortal),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/portal',
    access: 'store-portals',
    summary: 'Add a portal; a location without a portal uses it',
    body: portalForm.extend({ name, location_id: locationRef }),
    reply: portalReply,
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id',
    access: 'view-portals',
    summary: 'One portal with all its content',
    params: idParams,
    reply: portalReply,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/portal/:id',
    access: 'update-portals',
    summary: 'Change a portal',
    params: idParams,
    body: portalForm.extend({ ...seenAt, location_id: locationRef }),
    reply: portalReply,
  }),
  putByExternalId: endpoint({
    method: 'PUT',
    path: '/v1/panel/portal/by-external-id/:externalId',
    access: 'store-portals',
    summary: 'Create the portal with this id of another system, or change and publish it',
    description: `${byExternalIdOfLocation} A change needs \`update-portals\` too.`,
    params: externalIdParams,
    body: portalByExternalId,
    reply: one(portal),
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/portal/:id',
    access: 'delete-portals',
    summary: 'Delete a portal; locations and networks that use it have no portal then',
    params: idParams,
    reply: 'none',
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/duplicate',
    access: 'store-portals',
    summary: 'Duplicate a portal with its content, advertisements, surveys and rules',
    params: idParams,
    body: z.object({ name }),
    reply: portalReply,
    status: 201,
  }),
  draft: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/draft',
    access: 'view-portals',
    summary: 'The draft of a portal, or the published portal if there is no draft',
    params: idParams,
    reply: portalReply,
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/v1/panel/portal/:id/draft',
    access: 'update-portals',
    summary: 'Change the draft; guests do not see it',
    params: idParams,
    body: portalDraftForm.extend(seenAt),
    reply: portalReply,
  }),
  discardDraft: endpoint({
    method: 'DELETE',
    path: '/v1/panel/portal/:id/draft',
    access: 'update-portals',
    summary: 'Discard the draft',
    params: idParams,
    reply: 'none',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/preview',
    access: 'view-portals',
    summary: 'A token for the preview of the draft, valid for two hours',
    params: idParams,
    reply: one(z.object({ token: z.string() })),
  }),
  publish: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/publish',
    access: 'update-portals',
    summary: 'Publish the draft; 409 without a draft',
    params: idParams,
    reply: portalReply,
  }),
  history: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/history',
    access: 'view-portals',
    summary: 'Published versions, newest first',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(portalVersion),
  }),
  version: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/history/:versionId',
    access: 'view-portals',
    summary: 'The portal with the content of a version',
    params: z.object({ id, versionId: id }),
    reply: portalReply,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/history/:versionId/restore',
    access: 'update-portals',
    summary: 'Publish a version again; the draft is not changed',
    params: z.object({ id, versionId: id }),
    reply: portalReply,
  }),
  checkCss: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/css',
    access: 'view-portals',
    summary: 'Check custom CSS before it is saved; 422 names the line of a mistake',
    body: z.object({ styles: portalStyles.pick({ custom_css: true }) }),
    reply: 'none',
  }),
  image: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/image',
    access: 'update-portals',
    summary: 'Upload a picture for a portal',
    params: idParams,
    body: imageForm,
    upload: { maxBytes: imageBytes.most },
    reply: one(image),
    status: 201,
  }),
  newImage: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/image',
    access: 'store-portals',
    summary: 'Upload a picture before its portal exists',
    body: imageForm,
    upload: { maxBytes: imageBytes.most },
    reply: one(image),
    status: 201,
  }),
  ads: advertisementsApi,
  rules: rulesApi,
  surveys: surveysApi,
} as const;
