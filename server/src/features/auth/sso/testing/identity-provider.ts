import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** A person at the provider: the claims of the next sign-in. */
export interface Account {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

const newKeys = (kid: string) => ({
  keys: [
    {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid,
      use: 'sig',
      alg: 'RS256',
    },
  ],
});

/** panva's oidc-provider, where a person signs in at once. It demands PKCE. */
export async function startIdentityProvider(client: { id: string; secret: string; redirectUris: string[] }) {
  let account: Account = { sub: 'nobody' };
  let isAway = false;
  let handle: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => (isAway ? request.destroy() : handle(request, response)));
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  function run(kid: string = randomUUID()): void {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: client.redirectUris,
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: {
        email: ['email', 'email_verified', 'xms_edov', 'hd'],
        profile: ['name', 'given_name', 'family_name', 'groups', 'realm_access', '_claim_names'],
      },
      conformIdTokenClaims: false,
      cookies: { keys: ['of the tests'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...account, sub: id }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      jwks: newKeys(kid),
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session!.accountId! });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const answer = provider.callback();
    handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: account.sub } });
    };
  }
  run();

  /** Signs in at the provider as a new browser; returns the address to which the browser is sent back. */
  async function consent(address: string): Promise<string> {
    const cookies = new Map<string, string>();
    let at = address;
    for (let step = 0; step < 8; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      if (!next) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
      at = new URL(next, at).href;
      if (!at.startsWith(issuer)) return at;
    }
    throw new Error('The provider does not send the browser back');
  }

  return {
    issuer,
    consent,
    be: (whom: Account) => {
      account = whom;
    },
    /** Signs with a new key from now on. */
    rotateKeys: run,
    away: (it: boolean) => {
      isAway = it;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;
