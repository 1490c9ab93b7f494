import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, name, unlessEmpty, whole } from './fields.ts';
import { languageTag } from './language-tag.ts';
import { itemDates, nested } from './portal-items.ts';
import { picture } from './portal-styles.ts';
import { httpsLink, optionalDay, someOf, weekdays } from './timing.ts';

export const advertisementTypes = ['image', 'embed', 'video'] as const;
/** The largest video in bytes: guests load it on the venue's network before they are online. */
export const videoBytes = 4_000_000;
const link = unlessEmpty(httpsLink.nullable());
const fields = z.object({
  name,
  type: z.enum(advertisementTypes),
  images: z
    .array(picture)
    .max(20)
    .nullish()
    .transform(list => list ?? []),
  embed_code: z.string().trim().max(20_000).nullish(),
  /** The address of a video, from the answer to its upload. The first of `images` is shown until it plays. */
  video: unlessEmpty(z.string().max(2000).nullable())
    .nullish()
    .transform(it => it ?? null),
  /** How many seconds the sign-in form waits for the video; null: not at all. */
  seconds: unlessEmpty(whole(3, 30).nullable())
    .nullish()
    .transform(it => it ?? null),
  /** Opened by a press on the pictures, once the guest is online. */
  link: link.nullish().transform(it => it ?? null),
  /** The first day, in the time zone of the guest's location. */
  starts_on: optionalDay,
  /** The last day. */
  ends_on: optionalDay,
  weekdays: someOf(z.literal(weekdays)),
  languages: someOf(languageTag),
  /** How often it is chosen, beside the others that may be shown. */
  weight: unlessEmpty(whole(1, 100).nullable())
    .nullish()
    .transform(it => it ?? 1),
  /** How often a guest device sees it a day; null: always. */
  daily_cap: unlessEmpty(whole(1, 100).nullable())
    .nullish()
    .transform(it => it ?? null),
});
/** The content of an advertisement besides its pictures and its code, and its timing. */
export type AdvertisementOptions = Pick<
  z.output<typeof fields>,
  'video' | 'seconds' | 'link' | 'starts_on' | 'ends_on' | 'weekdays' | 'languages' | 'weight' | 'daily_cap'
>;
/** The options of an advertisement that was stored before they existed. */
export const noOptions: AdvertisementOptions = {
  video: null,
  seconds: null,
  link: null,
  starts_on: null,
  ends_on: null,
  weekdays: null,
  languages: null,
  weight: 1,
  daily_cap: null,
};

/** The first field that keeps an advertisement from being complete, with its message. */
export function advertisementProblem(
  it: Omit<z.output<typeof fields>, 'name'>,
):
  | readonly [
      field: 'images' | 'embed_code' | 'video' | 'link' | 'ends_on',
      message: 'required' | 'embed_link' | 'after_start',
    ]
  | undefined {
  if (it.type === 'video' && !it.video) return ['video', 'required'];
  if (it.type !== 'embed' && it.images.length === 0) return ['images', 'required'];
  if (it.type === 'embed' && !it.embed_code) return ['embed_code', 'required'];
  // A frame and a video take every press themselves.
  if (it.type !== 'image' && it.link) return ['link', 'embed_link'];
  if (it.starts_on && it.ends_on && it.ends_on < it.starts_on) return ['ends_on', 'after_start'];
  return undefined;
}
export const advertisementForm = fields.superRefine((it, context) => {
  const problem = advertisementProblem(it);
  if (problem) context.addIssue({ code: 'custom', path: [problem[0]], message: problem[1] });
});
export type AdvertisementForm = z.output<typeof advertisementForm>;
export const advertisement = z.object({
  id,
  name: z.string(),
  type: z.enum(advertisementTypes),
  images: z.array(z.string()),
  embed_code: z.string().nullable(),
  video: z.string().nullable(),
  seconds: z.number().nullable(),
  link: z.string().nullable(),
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  weekdays: z.array(z.literal(weekdays)).nullable(),
  languages: z.array(languageTag).nullable(),
  weight: z.number(),
  daily_cap: z.number().nullable(),
  ...itemDates,
});
export type Advertisement = z.output<typeof advertisement>;

/** Omitted fields keep their value. The changed advertisement must be a complete form. */
const advertisementChange = changeOf(fields);
export type AdvertisementChange = z.output<typeof advertisementChange>;

const videoUpload = {
  description: 'MP4 or WebM. It is not encoded again; the place that phones write into an MP4 is removed.',
  upload: { maxBytes: videoBytes },
  reply: one(z.object({ url: z.string(), bytes: z.number() })),
  status: 201,
} as const;
const count = z.number();
export const adResults = z.object({
  id,
  views: count,
  /** Guest devices that opened its link, each counted once a day. */
  clicks: count,
  /** The latest 30 days, including empty ones. */
  days: z.array(z.object({ day: z.string(), views: count, clicks: count })),
});
export type AdResults = z.output<typeof adResults>;

export const advertisementsApi = {
  ...nested('ads', 'advertisement', advertisement, advertisementForm, advertisementChange),
  results: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/ads/results',
    access: 'view-portals',
    summary: 'Views and clicks of each advertisement of a portal',
    params: idParams,
    reply: z.object({ data: z.array(adResults) }),
  }),
  video: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/:id/video',
    access: 'update-portals',
    summary: 'Upload a video for an advertisement of a portal',
    params: idParams,
    ...videoUpload,
  }),
  newVideo: endpoint({
    method: 'POST',
    path: '/v1/panel/portal/video',
    access: 'store-portals',
    summary: 'Upload a video before its portal exists',
    ...videoUpload,
  }),
  export: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/ads/export',
    access: 'view-portals',
    summary: 'Views and clicks of the advertisements of a portal by day, as a CSV file',
    params: idParams,
    reply: 'csv',
  }),
} as const;
