import type { portalsApi } from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import { type Actor, may } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Context, Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { pictureUrls } from './picture-urls.ts';
import { gonePictures } from './pictures.service.ts';
import * as drafts from './portal-drafts.service.ts';
import { uploadImage } from './portal-images.service.ts';
import { listItems } from './portal-items.queries.ts';
import * as items from './portal-items.service.ts';
import { listVersions } from './portal-versions.queries.ts';
import { type PortalBody, withWarnings } from './portal-warnings.ts';
import { findPortal, listPortals } from './portals.queries.ts';
import { createPortal, deletePortal, getPortal, portalToChange, updatePortal } from './portals.service.ts';
import { signPreview } from './preview-link.ts';
import { adDays, findGuestSurvey, listTexts } from './survey-results.queries.ts';
import { exportResponses, surveyResults } from './survey-results.service.ts';

type Call = Context & { readonly actor: Actor; readonly params: { id: string } };

const pictures = (call: Context) => pictureUrls(call.app, call.tenant);
/** For what a form names: a picture that was erased meanwhile is refused at its field. */
const picturesIn = async (call: Context & { body: unknown }) =>
  pictureUrls(call.app, call.tenant, await gonePictures(call, call.body));

/** Work on what is nested in a portal that the caller may see, or change. */
const reading = <T>(call: Call, work: (tx: Tx, portalId: string) => Promise<T>): Promise<T> =>
  call.inTenant(async tx => work(tx, found(await findPortal(tx, call.actor, call.params.id)).id));
const changing = <T>(call: Call, work: (tx: Tx, place: items.Place) => Promise<T>): Promise<T> =>
  call.inTenant(async tx =>
    work(tx, { actor: call.actor, portal: await portalToChange(tx, call.actor, call.params.id) }),
  );
/** The same of what is nested in it: its draft and its history hear of it. */
const nesting = <T>(call: Call, work: (tx: Tx, place: items.Place) => Promise<T>): Promise<T> =>
  call.inTenant(async tx => {
    const portal = await portalToChange(tx, call.actor, call.params.id);
    const done = await work(tx, { actor: call.actor, portal });
    await drafts.nestedChanged(tx, call.actor, portal);
    return done;
  });

/** Work on what guests answered to a survey; a reader sees that of its own locations and devices. */
const reader = ({ actor }: Call) => ({ scope: actor.reach, timeZone: actor.timeZone });
const surveyOf = async (call: Call & { params: { itemId: string } }, tx: Tx, portalId: string) =>
  found(await findGuestSurvey(tx, portalId, call.params.itemId));

/** Answers a portal, and why its guests could not sign in. */
const answer = async (call: Context, change: (tx: Tx) => Promise<PortalBody>) => ({
  data: await call.inTenant(async tx => withWarnings(call.app, tx, await change(tx))),
});

const work = (call: Call) => ({ actor: call.actor, pictures: pictures(call), id: call.params.id });

export const portalsRoutes: Handlers<typeof portalsApi> = {
  list: async call => paged(call, await call.read(tx => listPortals(tx, call.actor, call.query))),
  create: async call => {
    const urls = await picturesIn(call);
    return answer(call, tx => createPortal(tx, urls, call.actor, call.body));
  },
  get: call => answer(call, tx => getPortal(tx, pictures(call), call.actor, call.params.id)),
  update: async call => {
    const urls = await picturesIn(call);
    return answer(call, tx => updatePortal(tx, urls, call.actor, call.params.id, call.body));
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
  history: async call => paged(call, await reading(call, (tx, id) => listVersions(tx, id, call.query))),
  restore: call => answer(call, tx => drafts.restoreVersion(tx, work(call), call.params.versionId)),
  image: async call => {
    const { portal } = await changing(call, async (_tx, place) => place);
    return { data: await uploadImage(call, call.body.collection, call.file, portal) };
  },
  newImage: async call => ({ data: await uploadImage(call, call.body.collection, call.file) }),
  ads: {
    list: async call => {
      const ads = await reading(call, (tx, id) => listItems(tx, 'portal_ads', id, call.query));
      return paged(call, { ...ads, rows: ads.rows.map(ad => items.adToWire(ad, pictures(call))) });
    },
    create: async call => {
      const urls = await picturesIn(call);
      return { data: await nesting(call, (tx, place) => items.createAd(tx, urls, place, call.body)) };
    },
    update: async call => {
      const urls = await picturesIn(call);
      const { itemId } = call.params;
      return {
        data: await nesting(call, (tx, place) => items.updateAd(tx, urls, { ...place, itemId }, call.body)),
      };
    },
    delete: call =>
      nesting(call, (tx, place) => items.deleteItem(tx, 'portal_ads', { ...place, itemId: call.params.itemId })),
    results: async call => ({
      data: await reading(call, (tx, id) => adDays(tx, call.actor.reach, id, call.actor.timeZone)),
    }),
  },
  rules: {
    list: async call => paged(call, await reading(call, (tx, id) => listItems(tx, 'portal_rules', id, call.query))),
    create: async call => ({ data: await nesting(call, (tx, place) => items.createRule(tx, place, call.body)) }),
    update: async call => ({
      data: await nesting(call, (tx, place) =>
        items.updateRule(tx, { ...place, itemId: call.params.itemId }, call.body),
      ),
    }),
    delete: call =>
      nesting(call, (tx, place) => items.deleteItem(tx, 'portal_rules', { ...place, itemId: call.params.itemId })),
  },
  surveys: {
    list: async call => paged(call, await reading(call, (tx, id) => listItems(tx, 'portal_surveys', id, call.query))),
    create: async call => ({ data: await nesting(call, (tx, place) => items.createSurvey(tx, place, call.body)) }),
    update: async call => ({
      data: await nesting(call, (tx, place) =>
        items.updateSurvey(tx, { ...place, itemId: call.params.itemId }, call.body),
      ),
    }),
    delete: call =>
      nesting(call, (tx, place) => items.deleteItem(tx, 'portal_surveys', { ...place, itemId: call.params.itemId })),
    results: async call => ({
      data: await reading(call, async (tx, id) => surveyResults(tx, reader(call), await surveyOf(call, tx, id))),
    }),
    texts: async call =>
      paged(
        call,
        await reading(call, async (tx, id) => {
          const { id: surveyId } = await surveyOf(call, tx, id);
          return listTexts(tx, call.actor.reach, { ...call.query, surveyId });
        }),
      ),
    export: async call => {
      const survey = await reading(call, (tx, id) => surveyOf(call, tx, id));
      const { read, language } = call;
      const readsPersonalData = may(call.actor, 'view-clients');
      return exportResponses({ ...reader(call), language, read, readsPersonalData }, survey);
    },
  },
};
