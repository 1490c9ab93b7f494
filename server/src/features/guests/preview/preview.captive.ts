import { directionOf } from '@portico/contract/portal-languages.ts';
import { templateNames, templateStyles, templates } from '@portico/contract/portal-templates.ts';
import { type PreviewPage, previewDraft } from '@portico/contract/preview.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createTenantFinder, hasDomain } from '#features/tenants/public.ts';
import { AppError, notFound } from '#http/app-error.ts';
import { maxBytesBeforeSignIn } from '#http/body-limits.ts';
import type { Tenant } from '#http/call.ts';
import { unstorable } from '#http/unstorable.ts';
import type { App } from '#lib/app.ts';
import { isId } from '#lib/ids.ts';
import { originSeenAt, panelOrigin } from '#lib/origins.ts';
import { frameOf, type PageStyle } from '../guest-request.ts';
import { previewView, requirePreviewToken } from './preview.service.ts';

interface AtPortal {
  Params: { portalId: string };
  Querystring: {
    tenant?: unknown;
    lang?: unknown;
    panel?: unknown;
    token?: unknown;
    template?: unknown;
    version?: unknown;
  };
}

/** The design and the sample texts of a template, as unsaved changes. */
function templateOf(name: unknown) {
  const known = templateNames.find(it => it === name);
  return known && { styles: { ...templateStyles(known), background_image: null }, messages: templates[known].messages };
}

const thisMachine = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The frame in which the panel's editor shows a portal. It can be framed by the panel only, and listens to no other page. */
export function previewRoutes(
  server: FastifyInstance,
  app: App,
  style: PageStyle & { readonly previewScript: string },
): void {
  const findTenant = createTenantFinder(app);

  /** The origin of the panel: the installation's, or the tenant's own host name with the same scheme and port. */
  async function panelOf(tenant: Tenant, asking: unknown, host: string): Promise<string> {
    const ours = new URL(originSeenAt(panelOrigin(app.settings, tenant.slug), host));
    if (typeof asking !== 'string' || !URL.canParse(asking)) return ours.origin;
    const { origin, protocol, port, hostname } = new URL(asking);
    if (protocol !== ours.protocol || port !== ours.port) return ours.origin;
    // Without settings the panel is named localhost, and people open it at 127.0.0.1 as well.
    if (thisMachine.test(ours.hostname) && thisMachine.test(hostname)) return origin;
    return (await app.db.withTenant(tenant.id, tx => hasDomain(tx, hostname))) ? origin : ours.origin;
  }

  const tenantOf = (request: FastifyRequest<AtPortal>): Promise<Tenant> => {
    const { tenant } = request.query;
    if (!isId(request.params.portalId.toLowerCase())) throw notFound();
    return findTenant(typeof tenant === 'string' ? tenant : undefined, request.hostname);
  };
  const previewedOf = async (request: FastifyRequest<AtPortal>) => {
    const { token, version } = request.query;
    const tenant = await tenantOf(request);
    return {
      tenant,
      portalId: request.params.portalId.toLowerCase(),
      token: token === undefined ? token : String(token),
      version: typeof version === 'string' && isId(version.toLowerCase()) ? version : undefined,
    };
  };
  const chosenOf = (request: FastifyRequest<AtPortal>) =>
    typeof request.query.lang === 'string' ? request.query.lang : undefined;

  function secure(reply: FastifyReply, panel: string): void {
    reply.removeHeader('x-frame-options');
    reply.header(
      'content-security-policy',
      [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        `frame-ancestors ${panel}`,
        "script-src 'self'",
        "connect-src 'self'",
        `style-src 'nonce-${reply.nonce}'`,
        "img-src 'self'",
        "font-src 'self'",
      ].join('; '),
    );
    // The frame's own requests must carry their origin.
    reply.header('referrer-policy', 'same-origin');
  }

  server.get<AtPortal>('/preview/:portalId', async (request, reply) => {
    const previewed = await previewedOf(request);
    const frame = frameOf(request, reply, style, chosenOf(request));
    const draft = previewDraft.parse(templateOf(request.query.template) ?? {});
    const view = await previewView(app, previewed, frame, draft);
    const panel = await panelOf(previewed.tenant, request.query.panel, request.hostname);
    secure(reply, panel);
    const html = style.renderer.renderPreview(view, { origin: panel, script: style.previewScript });
    return reply.type('text/html; charset=utf-8').send(html);
  });

  // A draft is longer than any form of a guest. Only the editor's token allows so much, checked before the body is read.
  const onRequest = async (request: FastifyRequest<AtPortal>): Promise<void> => {
    const { token, ...previewed } = await previewedOf(request);
    if (token !== undefined) requirePreviewToken(app, previewed, token);
    else if (!(Number(request.headers['content-length']) <= maxBytesBeforeSignIn)) throw new AppError('too_large');
  };
  const options = { bodyLimit: 262_144, onRequest };
  server.post<AtPortal>('/preview/:portalId', options, async (request, reply): Promise<PreviewPage> => {
    // Another site's form cannot send JSON, and its script sends Sec-Fetch-Site.
    const site = request.headers['sec-fetch-site'];
    if (!/^application\/json\b/.test(request.headers['content-type'] ?? '') || (site && site !== 'same-origin')) {
      throw new AppError('not_allowed');
    }
    const previewed = await previewedOf(request);
    const draft = previewDraft.safeParse(request.body);
    if (!draft.success || unstorable(draft.data) !== undefined) throw new AppError('bad_request');
    const frame = frameOf(request, reply, style, chosenOf(request));
    const view = await previewView(app, previewed, frame, draft.data);
    return {
      language: view.language,
      dir: directionOf(view.language),
      ...style.renderer.renderParts(view, draft.data.view.dark),
    };
  });
}
