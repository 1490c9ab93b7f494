import type { Tx } from '#db/tenant.ts';
import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { asRouterError, RouterError, type RouterLink } from '#routers/router-control.ts';
import { markAnswered, markFailed, markRefused } from './controller-states.queries.ts';
import { findNames } from './login-hosts.queries.ts';

export interface ControllerPlace {
  readonly tenantId: string;
  readonly deviceId: string;
}

/** Remembers how a controller answered. A guest's sign-in must not fail because that could not be stored. */
async function remember(
  { db, log }: App,
  { tenantId }: ControllerPlace,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  try {
    await db.withTenant(tenantId, work);
  } catch (error) {
    log.error({ err: error }, 'the state of a controller was not stored');
  }
}

async function tell(tx: Tx, deviceId: string, error: RouterError | undefined): Promise<void> {
  const { name, location_id: locationId } = await findNames(tx, deviceId);
  const event = error ? 'device.controller_failing' : 'device.controller_recovered';
  const why = error && { problem: error.kind, reason: error.message };
  await tellWebhooks(tx, locationId, event, { id: deviceId, name, ...why });
  await notify(tx, {
    ...(error
      ? { kind: 'controller_failing', data: { device: name, words: error.message } }
      : { kind: 'controller_recovered', data: { device: name } }),
    to: { location: locationId, deviceId },
    locationId,
    deviceId,
  });
}

export const noteFailure = (app: App, at: ControllerPlace, error: RouterError): Promise<void> =>
  remember(app, at, async tx => {
    const failure = { problem: error.kind, words: error.message };
    if (await markFailed(tx, at.deviceId, failure)) await tell(tx, at.deviceId, error);
  });

const noteAnswer = (app: App, at: ControllerPlace, admitted: boolean): Promise<void> =>
  remember(app, at, async tx => {
    if (await markAnswered(tx, at.deviceId, admitted)) await tell(tx, at.deviceId, undefined);
  });

/** The same link, which remembers how the controller answers. */
export function watched(app: App, at: ControllerPlace, link: RouterLink): RouterLink {
  const { admit, admitted, identify } = link;
  const watch = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      const answer = await ask();
      await noteAnswer(app, at, false);
      return answer;
    } catch (error) {
      await noteFailure(app, at, asRouterError(error));
      throw error;
    }
  };
  return {
    ...link,
    identify: () => watch(identify),
    ...(admitted && { admitted: () => watch(admitted) }),
    ...(admit && {
      admit: async guest => {
        try {
          await admit(guest);
          await noteAnswer(app, at, true);
        } catch (error) {
          const refusal = asRouterError(error);
          // It works, but does not want this guest: another one may be admitted.
          if (refusal.kind === 'refused') await remember(app, at, tx => markRefused(tx, at.deviceId, refusal.message));
          else await noteFailure(app, at, refusal);
          throw error;
        }
      },
    }),
  };
}
