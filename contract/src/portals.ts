import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { portalLanguages } from './errors.ts';
import { id, idParams, locationRef, name, pageQuery, text, time } from './fields.ts';
import { messageKeys, perLanguage, portalMessages } from './portal-messages.ts';
import { provider, providers } from './portal-providers.ts';
import { optionalPicture, picture, portalStyles, styleKeys } from './portal-styles.ts';

/** Rich text in some languages; what could harm a guest is taken out on the way in. */
const richText = perLanguage(100_000);

export const agreementKeys = ['kvkk', 'general'] as const;
const agreements = z.object({ kvkk: richText, general: richText });

export const advertisementTypes = ['image', 'embed'] as const;
export const advertisementForm = z
  .object({
    name,
    type: z.enum(advertisementTypes),
    images: z.array(picture).max(20).default([]),
    embed_code: z.string().trim().max(20_000).nullish(),
  })
  .superRefine((it, context) => {
    if (it.type === 'image' && it.images.length === 0)
      context.addIssue({ code: 'custom', path: ['images'], message: 'required' });
    if (it.type === 'embed' && !it.embed_code)
      context.addIssue({ code: 'custom', path: ['embed_code'], message: 'required' });
  });
export type AdvertisementForm = z.output<typeof advertisementForm>;
const dates = { created_at: time, updated_at: time };
export const advertisement = z.object({
  id,
  name: z.string(),
  type: z.enum(advertisementTypes),
  images: z.array(z.string()),
  embed_code: z.string().nullable(),
  ...dates,
});
export type Advertisement = z.output<typeof advertisement>;

export const ruleStates = ['before_login', 'login_successful', 'login_failed'] as const;
export const ruleActions = ['redirect_to_survey', 'redirect_to_url'] as const;
const ruleFields = {
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: id.nullish(),
  url: z
    .url({ protocol: /^https?$/, hostname: z.regexes.domain })
    .max(2000)
    .or(z.literal(''))
    .nullish(),
  language: z.enum(portalLanguages).nullish(),
  order: z.coerce.number().int().min(1).max(1000).optional(),
};
/** When (`state`), then (`action`): the first rule that matches wins, in the order of the list. */
export const ruleForm = z.object(ruleFields).superRefine((it, context) => {
  if (it.action === 'redirect_to_survey' && !it.survey_id)
    context.addIssue({ code: 'custom', path: ['survey_id'], message: 'required' });
  if (it.action === 'redirect_to_url' && !it.url)
    context.addIssue({ code: 'custom', path: ['url'], message: 'required' });
});
export type RuleForm = z.output<typeof ruleForm>;
export const rule = z.object({
  id,
  state: z.enum(ruleStates),
  action: z.enum(ruleActions),
  survey_id: id.nullable(),
  url: z.string().nullable(),
  language: z.enum(portalLanguages).nullable(),
  order: z.number(),
  ...dates,
});
export type Rule = z.output<typeof rule>;

export const emojis = ['very-bad', 'bad', 'neutral', 'good', 'very-good'] as const;
/** Names a question or an answer in what guests answered; one that is left out, or stands twice, is made anew. */
const partId = z
  .string()
  .regex(/^[a-z0-9]{1,16}$/)
  .optional();
const answer = z.object({
  id: partId,
  label: perLanguage(255).default({}),
  /** The id of an emoji: one of ours, or the character itself. */
  emoji: z
    .union([z.string().trim().min(1).max(32), z.number().int().transform(String)])
    .nullable()
    .default(null),
});
/** A text question without answers is answered in the guest's own words. */
const question = z.object({
  id: partId,
  label: perLanguage(500),
  answer_type: z.enum(['text', 'emoji']).default('text'),
  type: z.enum(['single', 'multiple']).default('single'),
  answers: z.array(answer).max(30).default([]),
});
export const surveyForm = z.object({ name, questions: z.array(question).max(50).default([]) });
export type SurveyForm = z.output<typeof surveyForm>;
export const survey = surveyForm.extend({ id, ...dates });
export type Survey = z.output<typeof survey>;

const count = z.number();
/** What guests made of a survey. A guest is asked once: whoever answers or skips is `answered` or `skipped` for good. */
export const surveyResults = z.object({
  shown: count,
  answered: count,
  skipped: count,
  questions: z.array(
    z.object({
      id: z.string(),
      label: perLanguage(500),
      type: z.enum(['single', 'multiple']),
      answer_type: z.enum(['text', 'emoji']),
      /** How many guests answered this question. */
      answered: count,
      answers: z.array(z.object({ id: z.string(), label: perLanguage(255), emoji: z.string().nullable(), count })),
    }),
  ),
  /** The latest 30 days, those of nothing included. */
  days: z.array(z.object({ day: z.string(), shown: count, answered: count })),
});
export type SurveyResults = z.output<typeof surveyResults>;
/** What a guest wrote, without the name: results are read by those who may not see visitors, too. */
export const surveyText = z.object({ id, text: z.string(), language: z.enum(portalLanguages), created_at: time });
export type SurveyText = z.output<typeof surveyText>;
export const adResults = z.object({
  id,
  views: count,
  days: z.array(z.object({ day: z.string(), views: count })),
});
export type AdResults = z.output<typeof adResults>;

const style = z.union([z.string(), z.number()]).nullable();

export const portalRow = z.object({
  id,
  name: z.string(),
  location_id: id.nullable(),
  location: z.object({ id, name: z.string() }).nullable(),
  /** How many locations show it to their guests. */
  used_by: z.number(),
  ...dates,
});
export type PortalRow = z.output<typeof portalRow>;

export const portal = portalRow.extend({
  /** Whether there is a draft that guests do not see, and since when. */
  has_draft: z.boolean(),
  draft_at: time.nullable(),
  color_scheme: z.enum(['light', 'dark']),
  styles: portalStyles,
  style_options: z.array(z.object({ key: z.enum(styleKeys), value: style })),
  providers: z.array(provider),
  messages: z.record(z.enum(messageKeys), perLanguage(20_000)),
  agreements,
  redirect_rules: z.array(rule),
  advertisements: z.array(advertisement),
  surveys: z.array(survey),
});
export type Portal = z.output<typeof portal>;

/** The fields of the general form: each the style of its name, `logo` that of `portal_logo`. */
const generalForm = portalStyles
  .pick({ color_scheme: true, background_type: true, color_type: true, background_color: true, background_image: true })
  .extend({ logo: optionalPicture });

/** What may be sent for a portal: each tab its own part. Styles, messages and agreements left out stay as they are. */
export const portalForm = generalForm
  .extend({
    name,
    styles: portalStyles.partial(),
    style_options: z.array(z.object({ key: z.enum(styleKeys), value: style })).max(100),
    providers,
    messages: portalMessages,
    agreements: agreements.partial(),
  })
  .partial();
export type PortalForm = z.output<typeof portalForm>;

export const portalParts = ['name', 'styles', 'providers', 'messages', 'agreements'] as const;
/** What guests saw since `created_at`; the newest version is what they see. */
export const portalVersion = z.object({
  id,
  number: z.number(),
  name: z.string(),
  /** In what it differs from the version before; empty for the first. */
  changes: z.array(z.enum(portalParts)),
  published_by: z.object({ id, full_name: z.string() }).nullable(),
  current: z.boolean(),
  created_at: time,
});
export type PortalVersion = z.output<typeof portalVersion>;

export const imageCollections = ['logo', 'background', 'advertisement', 'content'] as const;
export type ImageCollection = (typeof imageCollections)[number];
/** Bytes: of any picture, and of one within rich text. */
export const imageBytes = { most: 2_000_000, content: 500_000 } as const;
const imageForm = z.object({ collection: z.enum(imageCollections) });
/** `url` is what goes into a style, an advertisement or a rich text. */
export const image = z.object({
  url: z.string(),
  collection: z.enum(imageCollections),
  width: z.number(),
  height: z.number(),
  bytes: z.number(),
});
export type Image = z.output<typeof image>;

const itemParams = z.object({ id, itemId: id });

/** The four calls of a list nested in a portal. */
const nested = <const P extends 'ads' | 'rules' | 'surveys', S extends z.ZodType, F extends z.ZodType>(
  path: P,
  what: string,
  item: S,
  form: F,
) => ({
  list: endpoint({
    method: 'GET',
    path: `/v1/panel/portal/:id/${path}`,
    access: 'view-portals',
    summary: `The ${what}s of a portal`,
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(item),
  }),
  create: endpoint({
    method: 'POST',
    path: `/v1/panel/portal/:id/${path}`,
    access: 'update-portals',
    summary: `Add a ${what} to a portal`,
    params: idParams,
    body: form,
    reply: one(item),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: `/v1/panel/portal/:id/${path}/:itemId`,
    access: 'update-portals',
    summary: `Change a ${what} of a portal`,
    params: itemParams,
    body: form,
    reply: one(item),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `/v1/panel/portal/:id/${path}/:itemId`,
    access: 'update-portals',
    summary: `Delete a ${what} of a portal`,
    params: itemParams,
    reply: 'none',
  }),
});

export const portalsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/portal',
    access: 'view-portals',
    summary: 'Portals',
    query: z.object({ ...pageQuery(), search: text.optional() }),
    reply: page(portalRow),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/portal',
    access: 'store-portals',
    summary: 'Make a portal; it becomes its location’s own when that has none',
    body: z.object({ name, location_id: locationRef }),
    reply: one(portal),
    status: 201,
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id',
    access: 'view-portals',
    summary: 'One portal with everything in it',
    params: idParams,
    reply: one(portal),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/portal/:id',
    access: 'update-portals',
    summary: 'Change a portal',
    params: idParams,
    body: portalForm,
    reply: one(portal),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/portal/:id',
    access: 'delete-portals',
    summary: 'Delete a portal; locations and networks that show it are left without one',
    params: idParams,
    reply: 'none',
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/duplicate',
    access: 'store-portals',
    summary: 'Make a portal that is like this one: its content, advertisements, surveys and rules',
    params: idParams,
    body: z.object({ name }),
    reply: one(portal),
    status: 201,
  }),
  draft: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/draft',
    access: 'view-portals',
    summary: 'The portal as it is being worked on: its draft, or what guests see where there is none',
    params: idParams,
    reply: one(portal),
  }),
  saveDraft: endpoint({
    method: 'PUT',
    path: '/v1/panel/portal/:id/draft',
    access: 'update-portals',
    summary: 'Change the draft; guests see nothing of it',
    params: idParams,
    body: portalForm.omit({ name: true }),
    reply: one(portal),
  }),
  discardDraft: endpoint({
    method: 'DELETE',
    path: '/v1/panel/portal/:id/draft',
    access: 'update-portals',
    summary: 'Throw the draft away',
    params: idParams,
    reply: 'none',
  }),
  publish: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/publish',
    access: 'update-portals',
    summary: 'Show the draft to guests; 409 where there is none',
    params: idParams,
    reply: one(portal),
  }),
  history: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/history',
    access: 'view-portals',
    summary: 'What guests saw, the newest first',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(portalVersion),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/history/:versionId/restore',
    access: 'update-portals',
    summary: 'Show guests what they saw in this version; a draft stays as it is',
    params: z.object({ id, versionId: id }),
    reply: one(portal),
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
  ads: {
    ...nested('ads', 'advertisement', advertisement, advertisementForm),
    results: endpoint({
      method: 'GET',
      path: '/v1/panel/portal/:id/ads/results',
      access: 'view-portals',
      summary: 'How often each advertisement of a portal was shown to guests',
      params: idParams,
      reply: z.object({ data: z.array(adResults) }),
    }),
  },
  rules: nested('rules', 'rule', rule, ruleForm),
  surveys: {
    ...nested('surveys', 'survey', survey, surveyForm),
    results: endpoint({
      method: 'GET',
      path: '/v1/panel/portal/:id/surveys/:itemId/results',
      access: 'view-portals',
      summary: 'What guests answered, counted',
      params: itemParams,
      reply: one(surveyResults),
    }),
    texts: endpoint({
      method: 'GET',
      path: '/v1/panel/portal/:id/surveys/:itemId/texts',
      access: 'view-portals',
      summary: 'What guests wrote in answer to a question, the latest first',
      params: itemParams,
      query: z.object({ ...pageQuery(), question: z.string().regex(/^[a-z0-9]{1,16}$/) }),
      reply: page(surveyText),
    }),
    export: endpoint({
      method: 'GET',
      path: '/v1/panel/portal/:id/surveys/:itemId/export',
      access: 'view-portals',
      summary: 'Every answer to a survey, as a CSV file',
      params: itemParams,
      reply: 'csv',
    }),
  },
} as const;
