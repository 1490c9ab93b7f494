import { Readable } from 'node:stream';
import type { identityApi } from '@portico/contract/identity.ts';
import type { Handlers } from '#http/call.ts';
import { certificatePem } from '#lib/certificates.ts';
import { signingKey, tenantName, whoWasIt } from './identity.service.ts';

export const identityRoutes: Handlers<typeof identityApi> = {
  find: async call => ({ data: await whoWasIt(call, call.body, 'look-up') }),
  pdf: async call => {
    const answer = await whoWasIt(call, call.body, 'export');
    // The PDF library and fonts are loaded when they are first needed.
    const { identityReport } = await import('./report.ts');
    const file = await identityReport(answer, {
      key: await signingKey(call),
      tenant: await tenantName(call),
      language: call.language,
    });
    call.reply
      .type('application/pdf')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="who-was-it-${answer.asked.at.slice(0, 10)}.pdf"`);
    return Readable.from([file]);
  },
  certificate: async call => certificatePem((await signingKey(call)).certificate),
};
