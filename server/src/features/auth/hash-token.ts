import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The stored form of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The bearer token of a request, if it has the form of our tokens. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer\s+([\w-]{20,200})$/i.exec(headers.authorization ?? '')?.[1];
