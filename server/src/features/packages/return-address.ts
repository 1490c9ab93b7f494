import type { App } from '#lib/app.ts';

const signature = ({ secrets }: App, tenantId: string, purchaseId: string): string =>
  secrets.sign(`purchase ${tenantId} ${purchaseId}`).slice(0, 32);

/** The path to which a provider sends the guest. Its signature keeps strangers from having providers asked. */
export const returnPath = (app: App, tenantId: string, purchaseId: string): string =>
  `/pay/${tenantId}/${purchaseId}/${signature(app, tenantId, purchaseId)}`;

export const isReturn = (app: App, it: { tenantId: string; purchaseId: string; signature: string }): boolean =>
  it.signature === signature(app, it.tenantId, it.purchaseId);
