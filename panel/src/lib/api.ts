// The build replaces this by the endpoints' methods and paths: see contract-addresses.ts.
export { api } from '@portico/contract/api.ts';
