import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Language } from '@portico/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Serves the built manual below /help, to everyone: it helps those who cannot sign in as well. VitePress writes inline scripts
 * into its pages, so each page allows the hashes of its own.
 */
export async function serveManual(
  server: FastifyInstance,
  root: string,
  languageOf: (request: FastifyRequest) => Language,
): Promise<void> {
  if (!existsSync(path.join(root, 'index.html'))) return;
  const read = (page: string) => readFileSync(path.join(root, page), 'utf8');
  const [first, missing] = [read('index.html'), read('404.html')];
  const send = (reply: FastifyReply, page: string) =>
    reply.header('content-security-policy', policy(page)).type('text/html; charset=utf-8').send(page);
  const rules = new Map<string, string>();
  const policyOf = (file: string): string => {
    const known = rules.get(file) ?? policy(readFileSync(file, 'utf8'));
    rules.set(file, known);
    return known;
  };
  await server.register(
    async help => {
      await help.register(fastifyStatic, {
        root,
        decorateReply: false,
        extensions: ['html'],
        preCompressed: true,
        setHeaders: (reply, sent) => {
          const file = sent.replace(/\.(br|gz)$/, '');
          const isPage = file.endsWith('.html');
          const isHashed = file.includes(`${path.sep}assets${path.sep}`);
          if (isPage) void reply.header('content-security-policy', policyOf(file));
          void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, no-cache');
        },
      });
      help.setNotFoundHandler((_request, reply) => send(reply.code(404), missing));
    },
    { prefix: '/help' },
  );
  // The router takes /help and /help/ for one address.
  server.get('/help', (request, reply) =>
    /^\/help\/($|\?)/.test(request.url)
      ? send(reply, first)
      : reply.redirect(languageOf(request) === 'tr' ? '/help/tr/' : '/help/'),
  );
}

function policy(page: string): string {
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    // The one style that VitePress adds while it changes between light and dark.
    "style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
    // Pages of the manual contain style attributes, and nothing that a user entered.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
  ].join('; ');
}
