import type { App } from '#lib/app.ts';
import { isSignedFor } from '#lib/secrets.ts';

const digits = 32;
const textOf = (tenantId: string, purchaseId: string): string => `purchase ${tenantId} ${purchaseId}`;

/** The path to which a provider sends the guest. Its signature keeps strangers from having providers asked. */
export const returnPath = (app: App, tenantId: string, purchaseId: string): string =>
  `/pay/${tenantId}/${purchaseId}/${app.secrets.ofTenant(tenantId).sign(textOf(tenantId, purchaseId)).slice(0, digits)}`;

export const isReturn = (app: App, it: { tenantId: string; purchaseId: string; signature: string }): boolean =>
  it.signature.length === digits &&
  isSignedFor(app.secrets, it.tenantId, textOf(it.tenantId, it.purchaseId), it.signature);
