import type { visitorSelectionApi } from '@portico/contract/visitor-selection.ts';
import type { Handlers } from '#http/call.ts';
import {
  cardsOfSelected,
  deleteSelected,
  endSessions,
  extendSelected,
  moveSelected,
  pauseSelected,
  resumeSelected,
} from './visitor-selection.service.ts';

export const visitorSelectionRoutes: Handlers<typeof visitorSelectionApi> = {
  extend: async call => ({ data: await extendSelected(call, call.body) }),
  move: async call => ({ data: await moveSelected(call, call.body) }),
  pause: async call => ({ data: await pauseSelected(call, call.body.ids) }),
  resume: async call => ({ data: await resumeSelected(call, call.body.ids) }),
  endSessions: async call => ({ data: await endSessions(call, call.body.ids) }),
  delete: async call => ({ data: await deleteSelected(call, call.body.ids) }),
  cards: async call => ({ data: await cardsOfSelected(call, call.body.ids) }),
};
