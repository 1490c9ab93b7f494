import type { SsoMapping } from '@portico/contract/sso.ts';
import { describe, expect, test } from 'vitest';
import type { Claims } from '#lib/openid.ts';
import { domainOf, groupsOf, personOf, rightsOf } from './person.ts';

const claims = (more: object = {}): Claims => ({ iss: 'https://id.example', sub: 'ada', ...more });

describe('the groups of a person', () => {
  test('are a list, or one group as text; anything else in it is no group', () => {
    expect(groupsOf(claims({ groups: ['desk', 7, null, 'staff'] }), 'groups')).toEqual(['desk', 'staff']);
    expect(groupsOf(claims({ groups: 'desk' }), 'groups')).toEqual(['desk']);
    expect(groupsOf(claims({ groups: { desk: true } }), 'groups')).toEqual([]);
    expect(groupsOf(claims(), 'groups')).toEqual([]);
  });

  test('are in a claim whose name has dots, or in an object inside a claim', () => {
    const name = 'https://acme.example/groups';
    expect(groupsOf(claims({ [name]: ['desk'] }), name)).toEqual(['desk']);
    expect(groupsOf(claims({ realm_access: { roles: ['desk'] } }), 'realm_access.roles')).toEqual(['desk']);
    for (const wrong of ['text', 7, null, undefined, {}])
      expect(groupsOf(claims({ realm_access: wrong }), 'realm_access.roles')).toEqual([]);
  });

  test('are unknown only if the provider says that it left out these', () => {
    expect(groupsOf(claims({ _claim_names: { groups: 'src1' } }), 'groups')).toBeUndefined();
    expect(groupsOf(claims({ _claim_names: { address: 'src1' } }), 'groups')).toEqual([]);
    for (const wrong of ['groups', null]) expect(groupsOf(claims({ _claim_names: wrong }), 'groups')).toEqual([]);
  });
});

describe('the address of a person', () => {
  const verified = (more: object) => personOf(claims({ email: 'ada@acme.example', ...more }), []).emailVerified;

  test('is verified by either claim, in the forms that providers use', () => {
    for (const value of [true, 'true', 1, '1']) {
      expect(verified({ email_verified: value })).toBe(true);
      expect(verified({ xms_edov: value })).toBe(true);
    }
    for (const value of [false, 'false', 0, '0', null, undefined, ['true'], 'yes']) {
      expect(verified({ email_verified: value })).toBe(false);
      expect(verified({ xms_edov: value })).toBe(false);
    }
  });

  test('that is missing is not verified', () => {
    expect(personOf(claims({ email_verified: true }), [])).toMatchObject({ email: null, emailVerified: false });
  });
});

describe('the name of a person', () => {
  const nameOf = (more: object) => {
    const { firstName, lastName } = personOf(claims({ email: 'ada@acme.example', ...more }), []);
    return [firstName, lastName];
  };

  test('is the one that the provider splits, else the whole name split at its first space', () => {
    expect(nameOf({ given_name: 'Ada Su', family_name: 'Deniz', name: 'X Y' })).toEqual(['Ada Su', 'Deniz']);
    expect(nameOf({ name: 'Ada Su Deniz' })).toEqual(['Ada', 'Su Deniz']);
    expect(nameOf({ name: 'Ada Deniz', family_name: 'Kaya' })).toEqual(['Ada', 'Kaya']);
    expect(nameOf({ name: 'Ada Deniz', given_name: 'Ada Deniz' }), 'nothing twice').toEqual(['Ada Deniz', '']);
  });

  test('is the address without a name, and SSO without both', () => {
    expect(nameOf({})).toEqual(['ada@acme.example', '']);
    expect(nameOf({ email: undefined })).toEqual(['SSO', '']);
  });

  test('has the subject, the issuer and the groups beside it', () => {
    const { issuer, subject, groups } = personOf(claims(), ['desk']);
    expect([issuer, subject, groups]).toEqual(['https://id.example', 'ada', ['desk']]);
  });
});

test('the domain is that of the address; at Google it is only that of the organisation', () => {
  expect(domainOf(claims(), 'ada@acme.example')).toBe('acme.example');
  expect(domainOf(claims({ hd: 'other.example' }), 'ada@acme.example')).toBe('acme.example');
  const quoted = '"eve@acme.example"@other.example';
  expect(domainOf(claims(), quoted), 'the last part, because the first may have a sign of its own').toBe(
    'other.example',
  );
  expect(domainOf(claims(), null)).toBeUndefined();
  const google = { iss: 'https://accounts.google.com' };
  expect(domainOf(claims({ ...google, hd: 'ACME.example' }), 'ada@other.example')).toBe('acme.example');
  expect(domainOf(claims(google), 'ada@acme.example')).toBeUndefined();
});

describe('the rights of groups', () => {
  const mapping = (group: string, role: SsoMapping['role'], at: string | null, roleId: string | null): SsoMapping => ({
    ...{ group, role, location_id: at, role_id: roleId },
  });
  const member = (group: string, location: string, role: string) => mapping(group, 'member', location, role);
  const ofTenant = (group: string, role: SsoMapping['role']) => mapping(group, role, null, null);
  const mappings = [
    ofTenant('audit', 'auditor'),
    ofTenant('sales', 'reseller'),
    ofTenant('it', 'tenant-admin'),
    member('desk', 'hotel', 'reception'),
    member('staff', 'hotel', 'viewer'),
    member('staff', 'bar', 'viewer'),
  ];

  test('are the highest role of the tenant, which has no locations of its own', () => {
    expect(rightsOf(mappings, ['audit', 'sales', 'it', 'desk'])).toEqual({ role: 'tenant-admin', memberships: [] });
    expect(rightsOf(mappings, ['audit', 'sales'])?.role).toBe('reseller');
    expect(rightsOf(mappings, ['desk', 'audit'])?.role).toBe('auditor');
  });

  test('are else all roles at each location', () => {
    expect(rightsOf(mappings, ['desk', 'staff'])).toEqual({
      role: 'member',
      memberships: [
        { locationId: 'hotel', roleIds: ['reception', 'viewer'] },
        { locationId: 'bar', roleIds: ['viewer'] },
      ],
    });
  });

  test('need a mapped group, and a mapping with a location and a role', () => {
    expect(rightsOf(mappings, ['unknown'])).toBeUndefined();
    expect(rightsOf(mappings, [])).toBeUndefined();
    const incomplete = [mapping('desk', 'member', null, 'viewer'), mapping('staff', 'member', 'hotel', null)];
    expect(rightsOf(incomplete, ['desk', 'staff'])).toBeUndefined();
  });

  test('of everyone belong to a person without a group', () => {
    const everyone = [member('*', 'hotel', 'viewer')];
    expect(rightsOf(everyone, [])?.memberships).toEqual([{ locationId: 'hotel', roleIds: ['viewer'] }]);
  });
});
