import type { CustomerState } from '@portico/contract/customers.ts';
import type { Language } from '@portico/contract/errors.ts';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { byteOrderMark, csvLine } from '#lib/csv.ts';
import { listCustomerIds, listCustomersById, type OverviewFilter } from './customers.queries.ts';

const words = {
  en: {
    customer: 'Customer',
    address: 'Address',
    owner: 'Reseller',
    licence: 'Licence',
    ends: 'Ends',
    suspended: 'Suspended',
    devices: 'Devices',
    offline: 'Offline',
    used: 'SMS used',
    limit: 'SMS limit',
    trial: 'Demo',
    licensed: 'Licensed',
  },
  tr: {
    customer: 'Müşteri',
    address: 'Adres',
    owner: 'Satıcı',
    licence: 'Lisans',
    ends: 'Bitiş',
    suspended: 'Askıya alındı',
    devices: 'Cihaz',
    offline: 'Çevrimdışı',
    used: 'Kullanılan SMS',
    limit: 'SMS hakkı',
    trial: 'Demo',
    licensed: 'Lisanslı',
  },
} satisfies Record<Language, Record<string, string>>;

const chunk = 1000;

/**
 * All customers that match the filter, in its order, as CSV. Reseller hosts omit licences. The order is read once: a customer
 * that is added, deleted or changed meanwhile moves no other one, and no part takes longer than the first.
 */
export async function* exportCustomers(
  { inTenant, tenant, language }: Context,
  actor: Actor,
  filter: OverviewFilter,
): AsyncGenerator<string> {
  const say = words[language];
  const withLicence = tenant.variant !== 'reseller';
  const licence = withLicence ? [say.licence, say.ends] : [];
  const head = [say.customer, say.address, say.owner, ...licence, say.suspended];
  yield byteOrderMark + csvLine([...head, say.devices, say.offline, say.used, say.limit]);
  const line = (it: CustomerState) =>
    csvLine([
      it.name,
      it.address,
      it.owner?.name,
      ...(withLicence ? [it.is_trial ? say.trial : say.licensed, it.ends_at] : []),
      it.suspended_at,
      it.devices,
      it.devices_offline,
      it.sms_used,
      it.sms_limit,
    ]);
  const ids = await inTenant(tx => listCustomerIds(tx, actor, filter));
  for (let from = 0; from < ids.length; from += chunk) {
    const part = ids.slice(from, from + chunk);
    const rows = await inTenant(tx => listCustomersById(tx, actor, part));
    yield rows.map(line).join('');
  }
}
