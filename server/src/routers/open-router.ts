import { asRouterError, type RouterLink, type RouterTarget } from './driver.ts';
import { openApi } from './mikrotik/api.ts';
import { openRest } from './mikrotik/rest.ts';

/** Signs in to a router by the protocol of its connection; rejects with a RouterError. */
export const openRouter = (target: RouterTarget): Promise<RouterLink> =>
  (target.protocol === 'rest' ? openRest(target) : openApi(target)).catch((error: unknown) => {
    throw asRouterError(error);
  });
