import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one } from './endpoint.ts';
import { emptiedByNull, id, wholeNumber } from './fields.ts';
import { type ChosenKind, chosenKinds, noticeWays } from './notice-kinds.ts';
import { timeZone } from './time-zones.ts';

const way = z.enum(noticeWays);
const kind = z.enum(chosenKinds as [ChosenKind, ...ChosenKind[]]);
const choice = z.object({ kind, way });
const choices = z
  .array(choice)
  .max(chosenKinds.length)
  .refine(list => new Set(list.map(it => it.kind)).size === list.length, 'twice');

const hour = wholeNumber(0, 23);

export const noticeChoices = z.object({
  /** The hour at which the daily mail is sent. */
  digest_hour: hour,
  /** The time zone of that hour; null: that of the location that the first notification of the mail is about. */
  time_zone: z.string().nullable(),
  /** The kinds that the caller can receive. */
  choices: z.array(choice.extend({ default: way, per_location: z.boolean() })),
  /** Locations with their own choices. Kinds that are not listed follow `choices`. */
  locations: z.array(z.object({ location: z.object({ id, name: z.string() }), choices: z.array(choice) })),
});
export type NoticeChoices = z.output<typeof noticeChoices>;

/** Lists replace the stored ones; a kind that is left out has its default. */
export const noticeChoicesChange = changeOf(
  z.object({
    digest_hour: hour,
    time_zone: timeZone.nullable(),
    choices: emptiedByNull(choices, []),
    locations: emptiedByNull(
      z
        .array(z.object({ location_id: id, choices: choices.min(1) }))
        .max(1000)
        .refine(list => new Set(list.map(it => it.location_id)).size === list.length, 'twice'),
      [],
    ),
  }),
);
export type NoticeChoicesChange = z.output<typeof noticeChoicesChange>;

export const noticeChoicesApi = {
  show: endpoint({
    method: 'GET',
    path: '/v1/panel/user/notification',
    access: 'signed-in',
    summary: 'Notification settings of the caller, per kind and per location',
    reply: one(noticeChoices),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/user/notification',
    access: 'signed-in',
    summary:
      'Choose how to be notified: in the panel only, in browsers, by mail at once, in a daily mail, or not at all',
    body: noticeChoicesChange,
    reply: one(noticeChoices),
  }),
} as const;
