export { builtInRoles } from './built-in-roles.ts';
export { endEnforcement, findProvider, markProven, type ProviderRow, provenAmong } from './sso.queries.ts';
export { deleteSso, getSso, keepEmergency, passwordsRefusedBy, saveSso, ssoPath } from './sso.service.ts';
export { tenantIdOf, tenantTable } from './tenants.cli.ts';
export { tenantJobs } from './tenants.jobs.ts';
export { findTenantBySlug, getTenant, hasAdministrator, hasDomain } from './tenants.queries.ts';
export { createTenant, createTenantFinder, registrationMode, servesPanel, tenantConfig } from './tenants.service.ts';
