import type { visitorImportApi } from '@portico/contract/visitor-import.ts';
import type { Handlers } from '#http/call.ts';
import { importTemplate, importVisitors, previewImport } from './import.service.ts';

export const visitorImportRoutes: Handlers<typeof visitorImportApi> = {
  template: call => {
    call.reply.header('content-disposition', 'attachment; filename="visitors-template.csv"');
    return importTemplate(call);
  },
  preview: async call => ({ data: await previewImport(call, call.body.location_id, call.file) }),
  run: call => importVisitors(call, call.body.location_id, call.file),
};
