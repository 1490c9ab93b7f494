import { domainForm, tenantForm, tenantUserChange, tenantUserForm } from '@portico/contract/tenants.ts';

export { domainForm, tenantForm, tenantUserChange, tenantUserForm };
