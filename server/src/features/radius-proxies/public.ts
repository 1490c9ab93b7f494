export { certifiedProxies, proxyHandlers } from './radius-proxies.radius.ts';
