import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** What is kept of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The bearer token of a request, where it has one that could be ours. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer\s+([\w-]{20,200})$/i.exec(headers.authorization ?? '')?.[1];
