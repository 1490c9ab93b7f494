import { createHash } from 'node:crypto';
import type { MarketingChannel } from '@portico/contract/consent-kinds.ts';
import type { ConsentFilter, MarketingConsent } from '@portico/contract/consents.ts';
import { audit, exportedLocation } from '#features/audit/public.ts';
import { type Actor, listScope } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { hashesOf, type Secrets } from '#lib/secrets.ts';
import {
  channelNames,
  consentHeaders,
  enderNames,
  iysTypes,
  provenNames,
  sourceNames,
  stateNames,
} from './consent-words.ts';
import {
  type Chunk,
  type Cursor,
  findConsent,
  type IysRow,
  listConsents,
  listConsentTexts,
  nextConsents,
  nextForIys,
  type StoredFilter,
  withdrawOne,
} from './consents.queries.ts';

type Call = Context & { actor: Actor };

/** Finds the proof of an erased visitor's consent by the address or number that is asked about. */
export const recipientHash = (secrets: Secrets, tenantId: string, recipient: string): Buffer =>
  secrets.ofTenant(tenantId).index(textOf(recipient));

/** The version of the sentence beside a box. */
export const textVersion = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const textOf = (recipient: string): string =>
  `marketing recipient ${recipient.includes('@') ? recipient.toLowerCase() : recipient.replace(/[^\d+]/g, '')}`;

const stored = ({ app, tenant }: Call, { search, ...filter }: ConsentFilter): StoredFilter => ({
  ...filter,
  ...(search && { recipientHashes: hashesOf(app.secrets, tenant.id, textOf(search)) }),
});

export const consentsOf = (call: Call, filter: ConsentFilter & { page: number; per_page: number }) =>
  call.read(tx => listConsents(tx, listScope(call.actor, filter), { ...stored(call, filter), ...filter }));

export const consentTextsOf = (call: Call, filter: ConsentFilter) =>
  call.read(tx => listConsentTexts(tx, listScope(call.actor, filter), filter));

/** An administrator records that a guest withdrew its consent. A withdrawn one is returned as it is. */
export const withdrawConsent = (call: Call, id: string): Promise<MarketingConsent> =>
  call.inTenant(async tx => {
    const before = found(await findConsent(tx, call.actor.reach, id));
    if (!(await withdrawOne(tx, id))) return before;
    await audit(tx, call.actor, {
      verb: 'revoke',
      subject: { type: 'consent', id, name: channelNames.en[before.channel] },
      locationId: before.location.id,
      before: { state: before.state },
      after: { state: 'withdrawn' },
    });
    return found(await findConsent(tx, call.actor.reach, id));
  });

const chunk = 5000;

const auditExport = (call: Call, filter: ConsentFilter, name: string): Promise<void> =>
  call.inTenant(async tx =>
    audit(tx, call.actor, {
      verb: 'export',
      subject: { type: 'consent-list', name },
      locationId: await exportedLocation(tx, call.actor, filter),
    }),
  );

/** All consents that match the filter, read in chunks, each in its own transaction. */
export async function* exportConsents(call: Call, filter: ConsentFilter): AsyncGenerator<string> {
  await auditExport(call, filter, 'consents.csv');
  const { language } = call;
  yield byteOrderMark + csvLine(consentHeaders[language]);
  for (let after: Cursor | null = null; ; ) {
    const at: Cursor | null = after;
    const { rows, next }: Chunk = await call.read(tx =>
      nextConsents(tx, listScope(call.actor, filter), stored(call, filter), { after: at, limit: chunk }),
    );
    yield rows
      .map(it =>
        csvLine([
          channelNames[language][it.channel],
          it.recipient,
          it.confirmed === null ? '' : provenNames[language][it.confirmed ? 'yes' : 'no'],
          it.visitor?.name,
          it.location.name,
          stateNames[language][it.state],
          it.given_local,
          it.withdrawn_local,
          it.withdrawn_by && enderNames[language][it.withdrawn_by],
          sourceNames[language][it.source],
          it.language,
          it.text,
          it.version,
        ]),
      )
      .join('');
    if (!next) return;
    after = next;
  }
}

const iysColumns = ['consentDate', 'source', 'recipient', 'recipientType', 'status', 'type'];

/** Recipients are phone numbers and checked addresses, so no cell needs quotes; an apostrophe before a plus would spoil the number. */
const iysLine = ({ at, recipient, given, channel }: IysRow): string =>
  `${[at, 'HS_WEB', recipient, 'BIREYSEL', given ? 'ONAY' : 'RET', iysTypes[channel]].join(',')}\r\n`;

/** The latest state of each recipient and channel in the words of İYS. */
export async function* exportForIys(call: Call, filter: ConsentFilter): AsyncGenerator<string> {
  await auditExport(call, filter, 'iys.csv');
  yield `${iysColumns.join(',')}\r\n`;
  for (let after: { recipient: string; channel: MarketingChannel } | null = null; ; ) {
    const at: { recipient: string; channel: MarketingChannel } | null = after;
    const rows: IysRow[] = await call.read(tx =>
      nextForIys(tx, listScope(call.actor, filter), stored(call, filter), { after: at, limit: chunk }),
    );
    yield rows.map(iysLine).join('');
    const last: IysRow | undefined = rows.at(-1);
    if (rows.length < chunk || !last) return;
    after = last;
  }
}
