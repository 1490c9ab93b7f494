import type { PaymentConnection } from '@portico/contract/integration-kinds.ts';
import { type PaymentSlug, type PurchaseProvider, paymentSlugs } from '@portico/contract/integration-names.ts';
import { paymentHosts } from '@portico/contract/payment-hosts.ts';
import type { App } from '#lib/app.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { findOfKind, findOfTenant } from '../integrations.queries.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { findClosed } from './closed-accounts.queries.ts';
import type {
  Checkout,
  Hint,
  MadeCheckout,
  Notification,
  Order,
  Outcome,
  PaymentDriver,
  PaymentTraits,
} from './driver.ts';
import { iyzico } from './iyzico.ts';
import { paytr } from './paytr.ts';
import { room } from './room.ts';
import { stripe } from './stripe.ts';
import { testProvider } from './test-provider.ts';

type DriverOf<S extends PaymentSlug> = PaymentDriver<Extract<PaymentConnection, { type: S }>>;
const drivers: { readonly [S in PaymentSlug]: DriverOf<S> } = { 'test-payment': testProvider, stripe, iyzico, paytr };
const driverOf = (slug: PaymentSlug) => drivers[slug] as PaymentDriver<PaymentConnection>;

const isPayment = (slug: string): slug is PaymentSlug => (paymentSlugs as readonly string[]).includes(slug);

/** The providers that this installation allows. */
export const allowedProviders = ({ settings }: Pick<App, 'settings'>): PaymentSlug[] =>
  paymentSlugs.filter(it => it !== 'test-payment' || settings.TEST_PAYMENTS);

/** How the purchases of a provider are followed up. */
export const traitsOf = (provider: PurchaseProvider): PaymentTraits =>
  provider === 'room' ? room.traits : driverOf(provider).traits;

/** The address to which the provider of a location sends its notifications; null if it sends none. */
export function hookUrl(
  app: App,
  it: { slug: string; tenantId: string; locationId: string; kind: string },
): string | null {
  if (!isPayment(it.kind) || !driverOf(it.kind).hasHook) return null;
  return `${captiveOrigin(app.settings, it.slug)}/pay/hook/${it.tenantId}/${it.locationId}`;
}

/** Likewise for the account of the tenant, which takes the payments of licences. */
export function licenceHookUrl(app: App, it: { slug: string; tenantId: string; kind: string }): string | null {
  if (!isPayment(it.kind) || !driverOf(it.kind).hasHook) return null;
  return `${captiveOrigin(app.settings, it.slug)}/pay/licence-hook/${it.tenantId}`;
}

/** Where the money of a purchase comes from. */
export interface PaymentSource {
  readonly integrationId: string;
  readonly provider: PurchaseProvider;
  create(checkout: Checkout): Promise<MadeCheckout>;
  confirm(order: Order): Promise<Outcome>;
  refund(order: Order): Promise<'done' | 'waiting'>;
}

/** The account of a location at a payment provider. Its methods throw an IntegrationError, and report it to the operators. */
export interface PaymentAccount extends PaymentSource {
  readonly provider: PaymentSlug;
  readonly received: string;
  webhook(notification: Notification): Hint | null | undefined;
}

/** Problems of one payment, which say nothing about the account. */
const ofThePayment = new Set(['refused', 'bad_answer']);

export async function paymentAccount(
  app: App,
  { tenantId, locationId }: { tenantId: string; locationId: string },
): Promise<PaymentAccount | undefined> {
  const row = await app.db.withTenant(tenantId, tx => findOfKind(tx, locationId, allowedProviders(app)));
  return row && accountOf(app, { tenantId, locationId }, row);
}

/** The tenant's own account, with which customers pay their licences. */
export async function licenceAccount(app: App, tenantId: string): Promise<PaymentAccount | undefined> {
  const row = await app.db.withTenant(tenantId, tx => findOfTenant(tx, allowedProviders(app)));
  return row && accountOf(app, { tenantId, locationId: null }, row);
}

type Row = NonNullable<Awaited<ReturnType<typeof findOfKind | typeof findOfTenant | typeof findClosed>>>;

function accountOf(
  app: App,
  { tenantId, locationId }: { tenantId: string; locationId: string | null },
  row: Row,
): PaymentAccount | undefined {
  if (!isPayment(row.kind)) return undefined;
  const stored = app.secrets.read(row.connection);
  const connection = stored === undefined ? undefined : (JSON.parse(stored) as PaymentConnection);
  const driver = driverOf(row.kind);
  const at = () => {
    if (!connection) throw new IntegrationError('secret_unreadable');
    return { app, tenantId, locationId, connection };
  };
  const reporting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      await app.db.withTenant(tenantId, tx => reportRecovery(tx, row));
      return result;
    } catch (error) {
      const problem = problemOf(error);
      if (!ofThePayment.has(problem.code)) await app.db.withTenant(tenantId, tx => reportFailure(tx, row, problem));
      throw problem;
    }
  };
  return {
    integrationId: row.id,
    provider: row.kind,
    received: driver.received,
    create: checkout => reporting(async () => driver.create(at(), checkout)),
    confirm: order => reporting(async () => driver.confirm(at(), order)),
    refund: order => reporting(async () => driver.refund(at(), order)),
    webhook: notification => (connection ? driver.webhook(at(), notification) : undefined),
  };
}

/** The bills of the rooms of a hotel. */
export function roomBills(
  app: App,
  it: { tenantId: string; locationId: string; integrationId: string },
): PaymentSource {
  const at = { app, tenantId: it.tenantId, locationId: it.locationId, connection: null };
  return {
    integrationId: it.integrationId,
    provider: 'room',
    create: checkout => room.create(at, checkout),
    confirm: order => room.confirm(at, order),
    refund: order => room.refund(at, order),
  };
}

/** Where a purchase was paid; undefined once that is gone. */
export async function sourceOf(
  app: App,
  tenantId: string,
  it: { location_id: string; integration_id: string | null; provider: PurchaseProvider },
): Promise<PaymentSource | undefined> {
  const { location_id: locationId, integration_id: integrationId } = it;
  if (integrationId === null) return undefined;
  if (it.provider === 'room') return roomBills(app, { tenantId, locationId, integrationId });
  const account = await paymentAccount(app, { tenantId, locationId });
  return account?.integrationId === integrationId ? account : closedAccount(app, { tenantId, integrationId });
}

/** The account of the tenant that took the payment of a licence; undefined once it is gone. */
export async function licenceSourceOf(
  app: App,
  tenantId: string,
  integrationId: string | null,
): Promise<PaymentSource | undefined> {
  if (integrationId === null) return undefined;
  const account = await licenceAccount(app, tenantId);
  return account?.integrationId === integrationId ? account : closedAccount(app, { tenantId, integrationId });
}

/** An account that was deleted while somebody was paying. It answers for what was open. */
async function closedAccount(
  app: App,
  { tenantId, integrationId }: { tenantId: string; integrationId: string },
): Promise<PaymentSource | undefined> {
  const row = await app.db.withTenant(tenantId, tx => findClosed(tx, integrationId, allowedProviders(app)));
  return row && accountOf(app, { tenantId, locationId: row.location_id }, row);
}

/** Checks an account, and tells which hosts guests must reach before they are online. */
export async function testPayment({ app, connection }: ConnectionTest<PaymentConnection>): Promise<TestResult[]> {
  const driver = driverOf(connection.type);
  const found = await driver.test({ app, tenantId: '', locationId: '', connection });
  const hosts = paymentHosts[connection.type];
  return [...found, ...(hosts.length ? [{ name: 'walled_garden', value: hosts.join(', ') }] : [])];
}
