import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { emptiedByNull, id, idParams, pageQuery, time, whole } from './fields.ts';

/** The ways to talk to a router: RouterOS 7’s REST, RouterOS 6’s binary API, plain or over TLS. */
export const routerProtocols = ['rest', 'api', 'api-ssl'] as const;
export type RouterProtocol = (typeof routerProtocols)[number];

/** The default protocol of a connection, from its port. */
export const protocolOf = (it: { port: number; protocol?: RouterProtocol | null | undefined }): RouterProtocol =>
  it.protocol ?? (it.port === 8728 ? 'api' : it.port === 8729 ? 'api-ssl' : 'rest');

const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:[\]-]+$/, 'host_format');

/** The connection to a router's management interface. An omitted password is kept if the host does not change. */
export const connectionForm = z.object({
  host,
  port: whole(1, 65_535),
  username: z.string().trim().min(1).max(120),
  password: emptiedByNull(z.string().max(200), '').optional(),
  protocol: z.enum(routerProtocols).nullish(),
});
export type ConnectionForm = z.output<typeof connectionForm>;

/** A connection as the API returns it: without its password. */
export const connectionShown = z.object({
  host: z.string(),
  port: z.number(),
  username: z.string(),
  has_password: z.boolean(),
  protocol: z.enum(routerProtocols),
  /** SHA-256 of the pinned certificate: the first one of the router, which it must show from then on. */
  certificate: z.string().nullable(),
});

export const commandActions = ['block', 'bypass', 'release', 'hotspot-on', 'hotspot-off', 'logout'] as const;
export type CommandAction = (typeof commandActions)[number];

/** `replaced`: a newer command about the same subject replaced it before it was sent. */
export const commandStates = ['queued', 'sent', 'done', 'failed', 'replaced'] as const;

/** A command for a router. `mac`: the guest device that it concerns; null for the hotspot switch. */
export const routerCommand = z.object({
  id,
  action: z.enum(commandActions),
  mac: z.string().nullable(),
  state: z.enum(commandStates),
  /** The router's message, or the reason why it could not be reached. */
  words: z.string(),
  /** The driver that sent it last. */
  driver: z.enum([...routerProtocols, 'poll']).nullable(),
  attempts: z.number(),
  created_at: time,
  sent_at: time.nullable(),
  answered_at: time.nullable(),
  /** The time of the next attempt. */
  next_at: time.nullable(),
});
export type RouterCommand = z.output<typeof routerCommand>;

const commandParams = z.object({ id, commandId: id });
const pollParams = z.object({ nas: z.string().regex(/^[a-z0-9]{8,16}$/) });
const commandIds = z.string().max(4000).default('');
/** A line for each failed command: its id, a space, and the router's message. */
const commandWords = z.string().max(16_000).default('');

export const routerControlApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/commands',
    access: 'view-devices',
    summary: 'Commands for a router, newest first',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(routerCommand),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/commands/:commandId/retry',
    access: 'update-devices',
    summary: 'Send a failed command again',
    params: commandParams,
    reply: one(routerCommand),
    status: 200,
  }),
  test: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/connection/test',
    access: 'update-devices',
    summary: 'Test the connection to a router; nothing is saved',
    params: idParams,
    body: connectionForm,
    reply: one(
      z.object({
        protocol: z.enum(routerProtocols),
        identity: z.string(),
        version: z.string(),
        certificate: z.string().nullable(),
      }),
    ),
    status: 200,
  }),
  forgetCertificate: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id/connection/certificate',
    access: 'update-devices',
    summary: 'Forget the certificate of a router; the next one is pinned',
    params: idParams,
    reply: 'none',
  }),
  poll: endpoint({
    method: 'GET',
    path: '/v1/device/poll/:nas',
    access: 'public',
    summary: 'The waiting commands of a router as a script; called by the router with its token in X-Portico-Token',
    refusals: [409],
    params: pollParams,
    query: z.object({ version: z.string().max(40).optional() }),
    reply: 'text',
  }),
  answer: endpoint({
    method: 'GET',
    path: '/v1/device/poll/:nas/answer',
    access: 'public',
    summary: 'Report the results of polled commands: comma-separated ids, and a line of text for each failed one',
    params: pollParams,
    query: z.object({ done: commandIds, failed: commandIds, words: commandWords }),
    reply: 'none',
  }),
} as const;
