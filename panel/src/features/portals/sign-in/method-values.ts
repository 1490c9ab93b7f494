import type { PerLanguage, PortalMessageKey } from '@portico/contract/portal-messages.ts';
import type { Provider, ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { FormPart } from '#ui/use-contract-form.ts';

/** The message keys of each method: title and explanation. */
export const methodTexts = {
  'citizen-id': ['login_with_citizen_id', 'citizen_id_info'],
  'room-number': ['login_with_room_number', 'room_number_info'],
  sms: ['login_with_sms', 'sms_info'],
  username: ['login_with_username', 'username_id_info'],
  temp: ['login_temp', 'temp_info'],
  email: ['login_with_email', 'email_info'],
  voucher: ['login_with_voucher', 'voucher_info'],
} as const satisfies Record<ProviderSlug, readonly [PortalMessageKey, PortalMessageKey]>;
export type MethodText = (typeof methodTexts)[ProviderSlug][number];

export const methodKeys: readonly MethodText[] = Object.values(methodTexts).flat();

export type MethodsValues = { providers: Provider[]; messages: Record<MethodText, PerLanguage> };
export type MethodsForm = FormPart<MethodsValues>;

export const methodMessages = ({ messages }: Portal): MethodsValues['messages'] =>
  Object.fromEntries(methodKeys.map(key => [key, messages[key]])) as MethodsValues['messages'];

/** Lets the preview show the security code field before a code is chosen. */
export const methodsForPreview = (providers: readonly Provider[]): Provider[] =>
  providers.map(it =>
    it.options.require_security_code && !it.options.security_code
      ? ({ ...it, options: { ...it.options, security_code: '0' } } as Provider)
      : it,
  );
