import { createHash, createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const packed = (it: object): string => Buffer.from(JSON.stringify(it)).toString('base64url');

/** How a token is signed: `public` is HS256 with the public key as the secret, `none` is not at all. */
type SigningKey = 'own' | 'other' | 'public' | 'none';

interface Asked {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirect: string;
}

/** The provider's consent page. */
const consentPage = (way: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Their sign-in</title>
<link rel="icon" href="data:,"><h1>Sign in with your account</h1><p><a href="${way.replaceAll('&', '&amp;')}">Continue as Ada Deniz</a>`;

/** An OpenID Connect provider that requires the code flow with PKCE (S256), state and nonce; codes work once. */
export async function startProvider(client: { id: string; secret: string }) {
  const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  let { privateKey, publicKey } = newPair();
  const other = newPair().privateKey;
  const codes = new Map<string, Asked>();
  let claims: Record<string, unknown> = {
    sub: 'ada-1',
    name: 'Ada Deniz',
    email: 'Ada@Example.com',
    email_verified: true,
  };
  let forged: Record<string, unknown> = {};
  let key: SigningKey = 'own';
  let userinfo: Record<string, unknown> | undefined;
  let authorizeAt: string | undefined;
  let asked = 0;

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const body = packed({ iss: issuer(), aud: client.id, iat: now, exp: now + 300, nonce, ...claims, ...forged });
    const alg = key === 'public' ? 'HS256' : key === 'none' ? 'none' : 'RS256';
    const signed = `${packed({ alg, kid: 'one' })}.${body}`;
    if (key === 'none') return `${signed}.`;
    const secret = publicKey.export({ format: 'pem', type: 'spki' });
    if (key === 'public') return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    const signer = key === 'own' ? privateKey : other;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(signer, 'base64url')}`;
  }

  function token(form: URLSearchParams, authorization: string): object | undefined {
    const basic = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    const right =
      basic === `${client.id}:${client.secret}` ||
      (form.get('client_id') === client.id && form.get('client_secret') === client.secret);
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!right || !code || verifier !== code.challenge || form.get('redirect_uri') !== code.redirect) return undefined;
    return { access_token: 'opaque', token_type: 'Bearer', expires_in: 300, id_token: idToken(code.nonce) };
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked += 1;
      const send = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/.well-known/openid-configuration')
        return send(200, {
          issuer: issuer(),
          authorization_endpoint: authorizeAt ?? `${issuer()}/authorize`,
          token_endpoint: `${issuer()}/token`,
          jwks_uri: `${issuer()}/.well-known/jwks.json`,
          ...(userinfo && { userinfo_endpoint: `${issuer()}/userinfo` }),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
      if (request.url === '/.well-known/jwks.json')
        return send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] });
      if (request.url === '/userinfo') return send(200, { sub: claims['sub'], ...userinfo });
      if (request.url === '/token') {
        const given = token(new URLSearchParams(Buffer.concat(parts).toString()), request.headers.authorization ?? '');
        return given ? send(200, given) : send(400, { error: 'invalid_grant' });
      }
      if (request.url?.startsWith('/authorize?')) {
        const page = consentPage(consent(issuer() + request.url));
        return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      }
      return send(404, {});
    });
  });
  const consent = (address: string): string => {
    const query = new URL(address).searchParams;
    const code = randomUUID();
    const said = {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirect: query.get('redirect_uri') ?? '',
    };
    codes.set(code, said);
    return `${said.redirect}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`;
  };
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = () => `http://localhost:${port}`;
  return {
    issuer: issuer(),
    /** The address to which a consenting person is redirected. */
    consent,
    be: (whom: Record<string, unknown>) => {
      claims = whom;
    },
    /** Puts false claims into the next tokens. */
    forge: (what: Record<string, unknown>, withKey: SigningKey = 'own') => {
      forged = what;
      key = withKey;
    },
    /** Sets the answer of the userinfo endpoint. Without one the provider has no such endpoint. */
    tell: (what: Record<string, unknown> | undefined) => {
      userinfo = what;
    },
    /** Where people sign in, instead of at its own page. */
    authorizeAt: (address: string | undefined) => {
      authorizeAt = address;
    },
    /** Signs with a new key from now on. */
    rotateKeys: () => {
      ({ privateKey, publicKey } = newPair());
    },
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
