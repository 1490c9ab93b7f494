import type { visitorChangesApi } from '@portico/contract/visitor-changes.ts';
import type { Handlers } from '#http/call.ts';
import { extendVisitor, moveVisitor, pauseVisitor, resumeVisitor } from './change.service.ts';

export const visitorChangesRoutes: Handlers<typeof visitorChangesApi> = {
  extend: async call => ({ data: await extendVisitor(call, call.params.id, call.body) }),
  pause: async call => ({ data: await pauseVisitor(call, call.params.id) }),
  resume: async call => ({ data: await resumeVisitor(call, call.params.id) }),
  move: async call => ({ data: await moveVisitor(call, call.params.id, call.body) }),
};
