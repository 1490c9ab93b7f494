import { cookiesOf, jsonOf, pinnedClient } from '../pinned-request.ts';
import { RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';

/*
 * The Omada controller's interface for external portals, as TP-Link's "API and Code Sample for External Portal Server (Omada
 * Controller 5.0.15 or above)" (FAQ 3231) describes it: the controller's id, the login of a hotspot operator, and
 * extPortal/auth with authType 4. `time` is in microseconds. It could not be checked against a controller. The document has
 * neither limits of speed nor a way to end a session.
 */

interface Reply {
  readonly errorCode?: number;
  readonly msg?: string;
  readonly result?: Record<string, unknown>;
}

const infoPath = '/api/info';
const notOmada = () => new RouterError('refused', 'this is not an Omada controller');

export async function openOmada(target: RouterTarget): Promise<RouterLink> {
  const client = pinnedClient(target);
  const ask = async (path: string, headers: Record<string, string>, body?: object) => {
    const answer = await client.ask({ method: body ? 'POST' : 'GET', path, headers, body });
    const reply = jsonOf(answer) as Reply | undefined;
    // Nothing was asked with the operator's name yet: another program answers.
    if (answer.status === 401 || answer.status === 403)
      throw path === infoPath ? notOmada() : new RouterError('login', 'the controller refused the operator');
    if (answer.status !== 200 || reply?.errorCode === undefined)
      throw new RouterError(answer.status >= 500 ? 'unreachable' : 'refused', `HTTP ${answer.status}`);
    return { reply, answer };
  };
  const { reply: info } = await ask(infoPath, {});
  const id = String(info.result?.['omadacId'] ?? '');
  if (!/^[0-9a-f]{16,64}$/i.test(id)) throw notOmada();
  const { reply, answer } = await ask(
    `/${id}/api/v2/hotspot/login`,
    {},
    { name: target.username, password: target.password },
  );
  const token = reply.result?.['token'];
  if (reply.errorCode !== 0 || typeof token !== 'string')
    throw new RouterError('login', reply.msg || 'the controller refused the operator');
  const headers = { cookie: cookiesOf(answer), 'csrf-token': token };
  return {
    certificate: client.certificate(),
    identify: async () => ({ identity: id, version: String(info.result?.['controllerVer'] ?? '') }),
    admit: async it => {
      const fact = (name: string) => it.login.searchParams.get(name) ?? '';
      const numbers = (name: string) => (/^\d{1,9}$/.test(fact(name)) ? { [name]: Number(fact(name)) } : {});
      const { reply: said } = await ask(`/${id}/api/v2/hotspot/extPortal/auth`, headers, {
        clientMac: it.mac.replaceAll(':', '-'),
        ...(fact('apMac')
          ? { apMac: fact('apMac'), ssidName: fact('ssidName'), ...numbers('radioId') }
          : { gatewayMac: fact('gatewayMac'), ...numbers('vid') }),
        site: fact('site'),
        time: it.seconds * 1_000_000,
        authType: 4,
      });
      if (said.errorCode !== 0) throw new RouterError('refused', said.msg || `error ${said.errorCode}`);
    },
    apply: () => Promise.reject(new RouterError('refused', 'the controller takes no commands from portals')),
    close: () => undefined,
  };
}
