import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import type { Language } from './errors.ts';
import {
  byExternalIdOfLocation,
  dataLimit,
  durationLimit,
  externalId,
  externalIdParams,
  hoursLimit,
  id,
  idParams,
  locationRef,
  name,
  notDeleted,
  pageQuery,
  price,
  speedLimit,
  text,
  time,
  whole,
} from './fields.ts';
import { currencies } from './units.ts';

/** From when paid days run. */
export const paidDaysFrom = ['first-use', 'purchase'] as const;

/**
 * Limits that a visitor's devices share, and the volume of one session. Volumes are decimal (1 GB = 10⁹ bytes) and count both
 * directions. `reduced_speed`: the speed once a volume is used up; off, sessions end.
 */
const sharedLimits = {
  daily_duration: hoursLimit,
  total_duration: hoursLimit,
  session_quota: dataLimit,
  daily_quota: dataLimit,
  total_quota: dataLimit,
  reduced_speed: speedLimit,
  paid_days_from: z.enum(paidDaysFrom).default('first-use'),
};

/** A session profile: how long, how fast and on how many devices at once a guest may be online. */
export const profileForm = z.object({
  location_id: locationRef,
  name,
  shared_user: whole(1, 1000).default(1),
  session_duration: durationLimit,
  max_upload: speedLimit,
  max_download: speedLimit,
  paid_sale: price,
  ...sharedLimits,
  is_default: z.boolean().optional(),
});
export type ProfileForm = z.output<typeof profileForm>;
/** Creates a profile or changes it. A field that a change leaves out keeps its value; in a new profile it gets the default. */
const profileByExternalId = changeOf(profileForm);
const profileChange = changeOf(profileForm);
export type ProfileChange = z.output<typeof profileChange>;

export const currencyLabels: Record<(typeof currencies)[number], string> = { eur: '€', usd: '$', gbp: '£', try: '₺' };

export const profile = profileForm.extend({
  id,
  /** Its id in another system, see `by-external-id`. */
  external_id: z.string().nullable(),
  /** `label`: the sign of its currency. */
  paid_sale: z.object({ is_active: z.boolean(), option: z.enum(currencies), value: z.number(), label: z.string() }),
  location_id: id,
  is_default: z.boolean(),
  visitors: z.number(),
  networks: z.number(),
  /** Portals (or their drafts) that give it to guests with free access. */
  portals: z.number(),
  /** Batches of vouchers. */
  batches: z.number(),
  /** Packages that guests can buy. */
  packages: z.number(),
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
});
export type Profile = z.output<typeof profile>;

/** The limits that running sessions are held to. */
export const sessionLimits = [
  ...(['session_duration', 'daily_duration', 'total_duration'] as const),
  ...(['session_quota', 'daily_quota', 'total_quota'] as const),
  ...(['max_upload', 'max_download', 'reduced_speed'] as const),
] satisfies readonly (keyof ProfileForm)[];

const users = [
  { key: 'visitors', en: ['visitor', 'visitors'], tr: ['ziyaretçi'] },
  { key: 'networks', en: ['network', 'networks'], tr: ['ağ'] },
  { key: 'portals', en: ['portal', 'portals'], tr: ['portal'] },
  { key: 'batches', en: ['batch of vouchers', 'batches of vouchers'], tr: ['kupon grubu'] },
  { key: 'packages', en: ['package', 'packages'], tr: ['paket'] },
] as const;
const asDefault = { en: 'the location, as its default profile', tr: 'lokasyonun varsayılan profili' };

/** Tells what uses a profile: `2 visitors, 1 network`. Empty if it is not in use. */
export function profileUses(it: Profile, language: Language): string {
  const counted = users.map(({ key, ...words }) => {
    const count = it[key];
    const [one, many = one] = words[language];
    return count > 0 && `${count} ${count === 1 ? one : many}`;
  });
  return [...counted, it.is_default && asDefault[language]].filter(Boolean).join(', ');
}

export const profilesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/location/user-profile',
    access: 'read-profiles',
    summary: 'Session profiles',
    query: z.object({
      ...pageQuery(),
      location_id: id.optional(),
      search: text.optional(),
      external_id: externalId.optional(),
    }),
    reply: page(profile),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/location/user-profile',
    access: 'update-location',
    summary: 'Create a session profile',
    body: profileForm,
    reply: one(profile),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/user-profile/:id',
    access: 'update-location',
    summary: 'Update a session profile',
    params: idParams,
    body: profileChange,
    reply: one(profile),
  }),
  putByExternalId: endpoint({
    method: 'PUT',
    path: '/v1/panel/location/user-profile/by-external-id/:externalId',
    access: 'update-location',
    summary: 'Create the session profile with this id of another system, or update it',
    description: byExternalIdOfLocation,
    params: externalIdParams,
    body: profileByExternalId,
    reply: one(profile),
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/location/user-profile/:id',
    access: 'update-location',
    summary: 'Delete a session profile; `replacement_id` replaces it where it is in use',
    params: idParams,
    query: z.object({ replacement_id: id.optional() }),
    reply: 'none',
  }),
} as const;
