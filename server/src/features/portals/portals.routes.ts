import type { portalsApi } from '@portico/contract/portals.ts';
import { say } from '@portico/contract/validation.ts';
import { orMisspelled } from '#db/misspelled.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { actorIn } from '#features/locations/public.ts';
import { type Actor, may } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Context, Handlers } from '#http/call.ts';
import { paged, whole } from '#http/page.ts';
import { exportAdFigures } from './ad-figures.ts';
import { authProviders } from './auth-providers.ts';
import { pictureUrls } from './picture-urls.ts';
import { findDeletedPictures } from './pictures.service.ts';
import { checkCss } from './portal-content.ts';
import * as drafts from './portal-drafts.service.ts';
import { uploadImage } from './portal-images.service.ts';
import { listItems } from './portal-items.queries.ts';
import * as items from './portal-items.service.ts';
import { listVersions } from './portal-versions.queries.ts';
import { uploadVideo } from './portal-videos.service.ts';
import { type PortalBody, withWarnings } from './portal-warnings.ts';
import { findPortal, listPortals } from './portals.queries.ts';
import {
  createPortal,
  deletePortal,
  designOf,
  getPortal,
  putPortal,
  requireEditablePortal,
  updatePortal,
} from './portals.service.ts';
import { signPreview } from './preview-link.ts';
import { adDays, findGuestSurvey, listTexts } from './survey-results.queries.ts';
import { exportResponses, surveyResults } from './survey-results.service.ts';

type Call = Context & { readonly actor: Actor; readonly params: { id: string } };

const pictures = (call: Context) => pictureUrls(call.app, call.tenant);
/** Like `pictures`, but refuses pictures in the body that were deleted meanwhile. */
const picturesIn = async (call: Context & { body: unknown }) =>
  pictureUrls(call.app, call.tenant, await findDeletedPictures(call, call.body));

/** Runs `work` with a portal that the caller may see. */
const withPortal = <T>(call: Call, work: (tx: Tx, portalId: string) => Promise<T>): Promise<T> =>
  call.inTenant(async tx => work(tx, found(await findPortal(tx, call.actor, call.params.id)).id));
/** Runs `work` with a locked portal that the caller may change. */
const withEditablePortal = <T>(call: Call, work: (tx: Tx, place: items.ItemContext) => Promise<T>): Promise<T> =>
  call.inTenant(async tx =>
    work(tx, { actor: call.actor, portal: await requireEditablePortal(tx, call.actor, call.params.id) }),
  );
/** Like `withEditablePortal`, and applies the change of a nested list to the draft and the history. */
const withNestedChange = <T>(call: Call, work: (tx: Tx, place: items.ItemContext) => Promise<T>): Promise<T> =>
  call.inTenant(async tx => {
    const portal = await requireEditablePortal(tx, call.actor, call.params.id);
    const done = await work(tx, { actor: call.actor, portal });
    await drafts.recordNestedChange(tx, call.actor, portal);
    return done;
  });

/** The scope and time zone for survey results: a reader sees answers of its own locations and devices. */
const reader = ({ actor }: Call) => ({ scope: actor.reach, timeZone: actor.timeZone });
const surveyOf = async (call: Call & { params: { itemId: string } }, tx: Tx, portalId: string) =>
  found(await findGuestSurvey(tx, portalId, call.params.itemId));

/** Replies with a portal and its warnings. */
const answer = async (call: Context, change: (tx: Tx) => Promise<PortalBody>) => {
  const data = await call.inTenant(async tx => withWarnings(call.app, tx, await change(tx)));
  return { data, warnings: data.warnings.map(it => say(`portal_${it}`, call.language)) };
};

const work = (call: Call) => ({ actor: call.actor, pictures: pictures(call), id: call.params.id });

export const portalsRoutes: Handlers<typeof portalsApi> = {
  authProviders: async call => whole(call, authProviders(call.language)),
  list: async call => {
    const { rows, total } = await call.read(async tx => {
      const actor = await actorIn(tx, call.actor, call.query);
      return orMisspelled('portals', actor.scope, call.query, like => listPortals(tx, actor, call.query, like));
    });
    const urls = pictures(call);
    return paged(call, { total, rows: rows.map(({ styles, ...row }) => ({ ...row, design: designOf(styles, urls) })) });
  },
  create: async call => {
    const urls = await picturesIn(call);
    return answer(call, tx => createPortal(tx, urls, call.actor, call.body));
  },
  get: call => answer(call, tx => getPortal(tx, pictures(call), call.actor, call.params.id)),
  update: async call => {
    const urls = await picturesIn(call);
    return answer(call, tx => updatePortal(tx, urls, call.actor, call.params.id, call.body));
  },
  putByExternalId: async call => {
    const urls = await picturesIn(call);
    return answer(call, async tx => {
      const { made, portal } = await putPortal(tx, urls, call, call.params.externalId);
      if (made) call.reply.code(201);
      return portal;
    });
  },
  delete: ({ actor, params, inTenant }) => inTenant(tx => deletePortal(tx, actor, params.id)),
  duplicate: call => answer(call, tx => drafts.duplicatePortal(tx, work(call), call.body.name)),
  draft: call => answer(call, tx => drafts.getDraft(tx, work(call))),
  saveDraft: async call => {
    const it = { ...work(call), pictures: await picturesIn(call) };
    return answer(call, tx => drafts.saveDraft(tx, it, call.body));
  },
  discardDraft: ({ actor, params, inTenant }) => inTenant(tx => drafts.discardDraft(tx, actor, params.id)),
  preview: async ({ app, tenant, actor, params, inTenant }) => {
    const { id } = await inTenant(async tx => found(await findPortal(tx, actor, params.id)));
    return { data: { token: signPreview(app.secrets, { tenantId: tenant.id, portalId: id }) } };
  },
  publish: call => answer(call, tx => drafts.publishDraft(tx, work(call))),
  history: async call => paged(call, await withPortal(call, (tx, id) => listVersions(tx, id, call.query))),
  version: call => answer(call, tx => drafts.getVersion(tx, work(call), call.params.versionId)),
  restore: call => answer(call, tx => drafts.restoreVersion(tx, work(call), call.params.versionId)),
  checkCss: async ({ body }) => checkCss(body.styles.custom_css ?? ''),
  image: async call => {
    const { portal } = await withEditablePortal(call, async (_tx, place) => place);
    return { data: await uploadImage(call, call.body.collection, call.file, portal) };
  },
  newImage: async call => ({ data: await uploadImage(call, call.body.collection, call.file) }),
  ads: {
    list: async call => {
      const ads = await withPortal(call, (tx, id) => listItems(tx, 'portal_ads', id, call.query));
      return paged(call, { ...ads, rows: ads.rows.map(ad => items.adToWire(ad, pictures(call))) });
    },
    create: async call => {
      const urls = await picturesIn(call);
      return { data: await withNestedChange(call, (tx, place) => items.createAd(tx, urls, place, call.body)) };
    },
    update: async call => {
      const urls = await picturesIn(call);
      const { itemId } = call.params;
      return {
        data: await withNestedChange(call, (tx, place) => items.updateAd(tx, urls, { ...place, itemId }, call.body)),
      };
    },
    delete: call =>
      withNestedChange(call, (tx, place) =>
        items.deleteItem(tx, 'portal_ads', { ...place, itemId: call.params.itemId }),
      ),
    video: async call => {
      const { portal } = await withEditablePortal(call, async (_tx, place) => place);
      return { data: await uploadVideo(call, call.file, portal) };
    },
    newVideo: async call => ({ data: await uploadVideo(call, call.file) }),
    results: async call => ({
      data: await withPortal(call, (tx, id) => adDays(tx, call.actor.reach, id, call.actor.timeZone)),
    }),
    export: async call => {
      const { actor, params, read, language } = call;
      const portal = await call.inTenant(async tx => {
        const exported = found(await findPortal(tx, actor, params.id));
        await audit(tx, actor, {
          verb: 'export',
          subject: { type: 'advertisement', id: exported.id, name: exported.name },
          locationId: actor.activeLocationId,
        });
        return exported;
      });
      return exportAdFigures({ language, scope: actor.reach, portalId: portal.id, read });
    },
  },
  rules: {
    list: async call => paged(call, await withPortal(call, (tx, id) => listItems(tx, 'portal_rules', id, call.query))),
    create: async call => ({
      data: await withNestedChange(call, (tx, place) => items.createRule(tx, place, call.body)),
    }),
    update: async call => ({
      data: await withNestedChange(call, (tx, place) =>
        items.updateRule(tx, { ...place, itemId: call.params.itemId }, call.body),
      ),
    }),
    delete: call =>
      withNestedChange(call, (tx, place) =>
        items.deleteItem(tx, 'portal_rules', { ...place, itemId: call.params.itemId }),
      ),
  },
  surveys: {
    list: async call =>
      paged(call, await withPortal(call, (tx, id) => listItems(tx, 'portal_surveys', id, call.query))),
    create: async call => ({
      data: await withNestedChange(call, (tx, place) => items.createSurvey(tx, place, call.body)),
    }),
    update: async call => ({
      data: await withNestedChange(call, (tx, place) =>
        items.updateSurvey(tx, { ...place, itemId: call.params.itemId }, call.body),
      ),
    }),
    delete: call =>
      withNestedChange(call, (tx, place) =>
        items.deleteItem(tx, 'portal_surveys', { ...place, itemId: call.params.itemId }),
      ),
    results: async call => ({
      data: await withPortal(call, async (tx, id) => surveyResults(tx, reader(call), await surveyOf(call, tx, id))),
    }),
    texts: async call =>
      paged(
        call,
        await withPortal(call, async (tx, id) => {
          const { id: surveyId } = await surveyOf(call, tx, id);
          return listTexts(tx, call.actor.reach, { ...call.query, surveyId });
        }),
      ),
    export: async call => {
      const survey = await withPortal(call, async (tx, id) => {
        const exported = await surveyOf(call, tx, id);
        await audit(tx, call.actor, {
          verb: 'export',
          subject: { type: 'survey', id: exported.id, name: exported.name },
          locationId: call.actor.activeLocationId,
        });
        return exported;
      });
      const { read, language } = call;
      const readsPersonalData = may(call.actor, 'view-clients');
      return exportResponses({ ...reader(call), language, read, readsPersonalData }, survey);
    },
  },
};
