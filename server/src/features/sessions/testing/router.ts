import type { App } from '#lib/app.ts';
import type { AuthorizeDecision, AuthorizeRequest, RadiusDevice, SessionRecord } from '#radius/types.ts';
import { sessionHandlers } from '../sessions.radius.ts';

interface Asked {
  readonly mac?: string | undefined;
  readonly method?: 'pap' | 'chap';
}

export interface Reported {
  readonly sessionId?: string;
  readonly mac?: string | undefined;
  readonly framedIp?: string;
  readonly sessionSeconds?: number;
  readonly uploadBytes?: number;
  readonly downloadBytes?: number;
}

const sourceIp = '127.0.0.1';
const unknown = { calledStationId: undefined, nasPortId: undefined };

/** The router with a NAS identifier: it asks RADIUS about a guest and reports the guest's session. */
export async function routerAt(app: App, nas: string) {
  const handlers = sessionHandlers(app);
  const device: RadiusDevice = (await handlers.resolveDevice(nas))!;
  const request = (
    userName: string,
    { mac, method = 'pap' }: Asked = {},
    password: string = userName,
  ): AuthorizeRequest => ({
    ...{ device, userName, method, mac, framedIp: '10.5.50.9', key: `${Math.random()}`, proven: true, sourceIp },
    ...{ ...unknown, sessionId: undefined, receivedAt: new Date() },
    password: method === 'pap' ? password : undefined,
    checkPassword: clear => clear === password,
  });
  return {
    device,
    request,
    decides: handlers.authorize,
    /** The decision about a user name and a password. A ticket is its own password. */
    asks: async (...asked: Parameters<typeof request>): Promise<AuthorizeDecision> =>
      (await handlers.authorize([request(...asked)]))[0]!,
    reports: (status: SessionRecord['status'], userName: string, it: Reported = {}): Promise<void> =>
      handlers.account([
        {
          ...{ device, status, userName, at: new Date(), sourceIp, nasIp: undefined, class: undefined, networks: [] },
          ...{ ...unknown, terminateCause: status === 'stop' ? 'User-Request' : undefined },
          ...{
            sessionId: 's1',
            mac: undefined,
            framedIp: '10.5.50.9',
            sessionSeconds: 0,
            uploadBytes: 0,
            downloadBytes: 0,
          },
          ...it,
        },
      ]),
  };
}
