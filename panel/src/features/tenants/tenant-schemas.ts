import { domainForm, tenantForm, tenantUser, tenantUserChange, tenantUserForm } from '@portico/contract/tenants.ts';

/** The API gives a user without a role the least powerful one. In the form one is chosen. */
const newTenantUser = tenantUserForm.extend({ role: tenantUser.shape.role });

export { domainForm, newTenantUser, tenantForm, tenantUserChange };
