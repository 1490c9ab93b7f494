import type { Endpoint, Received, Reply, Tree } from '@portico/contract/endpoint.ts';
import type { Language } from '@portico/contract/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import type { Actor } from './actor.ts';

export interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly variant: 'standard' | 'reseller';
  /** The host name of the call is another tenant's own, although `X-Tenant` names this one. */
  readonly onForeignHost?: boolean | undefined;
  /** The guests' origin as the caller's browser reaches it, if that is another than the settings say. */
  readonly captiveSeen?: string | undefined;
  /** It leaves for another installation, or is there: what callers are told. */
  readonly leaving?: { readonly state: 'frozen' | 'moved'; readonly panelUrl: string | null } | undefined;
}

export interface Upload {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly mimetype: string;
}

/**
 * The context of a call: the arguments of a handler besides its validated input. `inTenant` opens a transaction that sees the
 * caller's tenant only. `read` is for reading only, and may be answered by a replica; queries made in the same tick share one
 * round trip. Its work may run twice.
 */
export interface Context {
  readonly app: App;
  readonly tenant: Tenant;
  readonly language: Language;
  readonly inTenant: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type ActorOf<E> = E extends { access: 'public' } ? { actor: Actor | undefined } : { actor: Actor };
type FileOf<E> = E extends { upload: object } ? { file: Upload } : unknown;

export type Handler<E> = (call: Received<E> & Context & ActorOf<E> & FileOf<E>) => Promise<Reply<E>> | Reply<E>;
/** One handler for every endpoint of a tree: a missing one does not compile. */
export type Handlers<T extends Tree> = {
  [K in keyof T]: T[K] extends Endpoint ? Handler<T[K]> : T[K] extends Tree ? Handlers<T[K]> : never;
};
