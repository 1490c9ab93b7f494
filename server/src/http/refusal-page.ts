import type { Language } from '@portico/contract/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '#lib/html.ts';

/** Whether a browser navigated to the URL; scripts accept JSON. */
export const wantsPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').startsWith('text/html');

/** An error page for a person, such as for an expired download link. */
export const sendRefusalPage = (reply: FastifyReply, message: string, language: Language): FastifyReply =>
  reply
    .header('content-security-policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico</title>
<link rel="stylesheet" href="/docs/style.css">
<main><h1>Portico</h1><p>${escapeHtml(message)}</p></main></html>`,
    );
