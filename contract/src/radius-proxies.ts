import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, ipAddress, name, pageQuery, time, unlessEmpty, whole } from './fields.ts';

/** A proxy may also be a FreeRADIUS, whose secrets are printable text without quotes. */
const sharedSecret = z.string().regex(/^[\x21-\x7e]{16,64}$/, 'radius_secret');

/** A RADIUS proxy (FreeRADIUS, radsecproxy) between routers and this server. */
export const radiusProxyForm = z.object({
  name,
  /** The address that its UDP packets come from. Empty: it uses RADIUS over TLS only. */
  address: unlessEmpty(ipAddress.nullish()),
  /** Shared secret over UDP. Default: a random one. */
  secret: unlessEmpty(sharedSecret.nullish()),
  /** The locations whose devices it may speak for. Null or missing: all locations of the tenant. */
  location_ids: z.array(id).min(1).max(500).nullish(),
  /** Drop its Access-Requests without Message-Authenticator (CVE-2024-3596). Only old proxies send none. */
  require_message_authenticator: z.boolean().default(true),
});
export type RadiusProxyForm = z.output<typeof radiusProxyForm>;
export const radiusProxyChange = changeOf(radiusProxyForm);
export type RadiusProxyChange = z.output<typeof radiusProxyChange>;

export const radiusProxy = z.object({
  id,
  name: z.string(),
  address: z.string().nullable(),
  location_ids: z.array(id).nullable(),
  require_message_authenticator: z.boolean(),
  /** Its certificate for RADIUS over TLS. */
  certificate: z.object({ serial: z.string(), fingerprint: z.string(), expires_at: time }).nullable(),
  last_seen_at: time.nullable(),
  created_at: time,
});
export type RadiusProxyRow = z.output<typeof radiusProxy>;

/** Returned once, when the secret is made. */
export const radiusProxyWithSecret = radiusProxy.extend({ secret: z.string() });
export type RadiusProxyWithSecret = z.output<typeof radiusProxyWithSecret>;

/** Returned once, when the certificate is issued. All in PEM. */
export const radiusProxyCertificate = z.object({
  proxy: radiusProxy,
  certificate: z.string(),
  private_key: z.string(),
  /** The certificate with which the proxy verifies the server. */
  authority: z.string(),
});
export type RadiusProxyCertificate = z.output<typeof radiusProxyCertificate>;

export const radiusProxiesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/radius-proxy',
    access: 'read-tenant',
    summary: 'RADIUS proxies that may speak for devices of the tenant',
    query: z.object(pageQuery()),
    reply: page(radiusProxy),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/radius-proxy',
    access: 'tenant-admin',
    summary: 'Trust a RADIUS proxy; only this reply contains its secret',
    body: radiusProxyForm,
    reply: one(radiusProxyWithSecret),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/radius-proxy/:id',
    access: 'tenant-admin',
    summary: 'Change a RADIUS proxy',
    params: idParams,
    body: radiusProxyChange,
    reply: one(radiusProxy),
  }),
  renewSecret: endpoint({
    method: 'POST',
    path: '/v1/panel/radius-proxy/:id/secret',
    access: 'tenant-admin',
    summary: 'Give a RADIUS proxy a new random secret; only this reply contains it',
    params: idParams,
    reply: one(radiusProxyWithSecret),
    status: 200,
  }),
  issueCertificate: endpoint({
    method: 'POST',
    path: '/v1/panel/radius-proxy/:id/certificate',
    access: 'tenant-admin',
    summary: 'Issue a certificate for RADIUS over TLS; it replaces the one before, and only this reply has the key',
    params: idParams,
    body: z.object({ days: whole(1, 3650).default(730) }),
    reply: one(radiusProxyCertificate),
    status: 201,
  }),
  revokeCertificate: endpoint({
    method: 'DELETE',
    path: '/v1/panel/radius-proxy/:id/certificate',
    access: 'tenant-admin',
    summary: 'Revoke the certificate; its connections end immediately',
    params: idParams,
    reply: one(radiusProxy),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/radius-proxy/:id',
    access: 'tenant-admin',
    summary: 'Trust a RADIUS proxy no longer',
    params: idParams,
    reply: 'none',
  }),
} as const;
