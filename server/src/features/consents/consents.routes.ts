import type { consentsApi } from '@portico/contract/consents.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { consentsOf, consentTextsOf, exportConsents, exportForIys, withdrawConsent } from './consents.service.ts';

const attachment = (name: string) => `attachment; filename="${name}"`;

export const consentsRoutes: Handlers<typeof consentsApi> = {
  list: async call => paged(call, await consentsOf(call, call.query)),
  texts: async call => ({ data: await consentTextsOf(call, call.query) }),
  export: call => {
    call.reply.header('content-disposition', attachment('consents.csv'));
    return exportConsents(call, call.query);
  },
  iys: call => {
    call.reply.header('content-disposition', attachment('iys.csv'));
    return exportForIys(call, call.query);
  },
  withdraw: async call => ({ data: await withdrawConsent(call, call.params.id) }),
};
