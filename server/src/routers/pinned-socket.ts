import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { asRouterError, RouterError, type RouterTarget } from './router-control.ts';

export interface OpenSocket {
  readonly socket: Socket;
  readonly certificate: string | null;
}

/**
 * Connects to a router. Routers use self-signed certificates, so the certificate is checked by its fingerprint. A router
 * with another certificate is sent nothing. A vendor's cloud renews its certificate every few weeks: `byAuthority` checks it
 * as a browser does, and pins nothing.
 */
export function openSocket(
  { host, address, port, protocol, pin, timeoutMs }: RouterTarget,
  byAuthority = false,
): Promise<OpenSocket> {
  const plain = protocol === 'api';
  return new Promise((resolve, reject) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket: Socket = plain
      ? connectTcp({ host: address, port })
      : connectTls({ host: address, port, rejectUnauthorized: false, ...name });
    const fail = (error: unknown) => {
      socket.destroy();
      reject(asRouterError(error));
    };
    const opened = (certificate: string | null) => {
      socket.off('error', fail);
      socket.on('error', () => undefined);
      resolve({ socket, certificate });
    };
    const timer = setTimeout(
      () => fail(new RouterError('unreachable', `no answer within ${Math.ceil(timeoutMs / 1000)} s`)),
      timeoutMs,
    );
    socket.once('error', fail);
    // The router closed the connection during the handshake.
    socket.once('close', () => fail(new RouterError('unreachable', 'the router closed the connection')));
    socket.once(plain ? 'connect' : 'secureConnect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('close');
      if (byAuthority) {
        const { authorized, authorizationError } = socket as TLSSocket;
        if (!authorized)
          return fail(new RouterError('certificate', `no valid certificate for ${host}: ${authorizationError}`));
        return opened(null);
      }
      const certificate = plain ? null : ((socket as TLSSocket).getPeerCertificate().fingerprint256 ?? '');
      if (certificate === '') return fail(new RouterError('certificate', 'the router showed no certificate'));
      if (pin && certificate !== null && certificate !== pin)
        return fail(new RouterError('certificate', `the router shows another certificate: ${certificate}`));
      return opened(certificate);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}
