export { findTenantBySlug, getTenant, hasAdministrator, listTenants } from './tenants.queries.ts';
export { createTenant, createTenantFinder, tenantConfig } from './tenants.service.ts';
