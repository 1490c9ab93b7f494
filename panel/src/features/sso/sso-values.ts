import type { SsoMapping, SsoSettings } from '@portico/contract/sso.ts';

export interface MappingValues {
  /** Identifies the line while it is edited. */
  key: string;
  group: string;
  role: SsoMapping['role'];
  location_id: string;
  role_id: string;
}

export interface SsoValues extends Record<string, unknown> {
  enabled: boolean;
  label: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  domains: string[];
  groups_claim: string;
  mappings: MappingValues[];
  create_accounts: boolean;
  enforced: boolean;
  emergency_user_id: string;
}

let lines = 0;
const mappingOf = (it: Partial<SsoMapping>, key: string): MappingValues => ({
  key,
  group: it.group ?? '',
  role: it.role ?? 'member',
  location_id: it.location_id ?? '',
  role_id: it.role_id ?? '',
});
export const newMapping = (): MappingValues => mappingOf({}, `new-${++lines}`);

export const ssoValues = ({ provider }: SsoSettings, me: string): SsoValues => ({
  enabled: provider?.enabled ?? true,
  label: provider?.label ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  domains: provider?.domains ?? [],
  groups_claim: provider?.groups_claim ?? 'groups',
  mappings: (provider?.mappings ?? []).map((it, i) => mappingOf(it, `line-${i}`)),
  create_accounts: provider?.create_accounts ?? false,
  enforced: provider?.enforced ?? false,
  emergency_user_id: provider?.emergency_user_id ?? me,
});

/** The input of the contract's schema. */
export const ssoInput = ({ mappings, ...values }: SsoValues) => ({
  ...values,
  mappings: mappings.map(({ group, role, location_id, role_id }) => ({ group, role, location_id, role_id })),
});
