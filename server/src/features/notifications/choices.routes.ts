import type { noticeChoicesApi } from '@portico/contract/notice-choices.ts';
import type { Handlers } from '#http/call.ts';
import { changeChoices, showChoices } from './choices.service.ts';

export const choicesRoutes: Handlers<typeof noticeChoicesApi> = {
  show: async ({ actor, inTenant }) => ({ data: await inTenant(tx => showChoices(tx, actor)) }),
  update: async ({ actor, inTenant, body }) => ({ data: await inTenant(tx => changeChoices(tx, actor, body)) }),
};
