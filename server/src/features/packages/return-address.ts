import type { App } from '#lib/app.ts';
import { isSignedFor, signFor } from '#lib/secrets.ts';

const digits = 32;
const textOf = (tenantId: string, purchaseId: string): string => `purchase ${tenantId} ${purchaseId}`;

/** The path to which a provider sends the guest. Its signature keeps strangers from having providers asked. */
export const returnPath = (app: App, tenantId: string, purchaseId: string): string =>
  `/pay/${tenantId}/${purchaseId}/${signFor(app.secrets, tenantId, textOf(tenantId, purchaseId), digits)}`;

export const isReturn = (app: App, it: { tenantId: string; purchaseId: string; signature: string }): boolean =>
  isSignedFor(app.secrets, it.tenantId, textOf(it.tenantId, it.purchaseId), it.signature, digits);
