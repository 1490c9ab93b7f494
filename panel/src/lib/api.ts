// Replaced while building by the endpoints' methods and paths alone: see contract-addresses.ts.
export { api } from '@portico/contract/api.ts';
