import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { encodePem } from '@slipway/pki';

const timeoutMs = 5000;

/**
 * The certificate that a server shows, verified or not; undefined when none arrives. Only for telling
 * what is wrong with it: nothing that it says may be believed.
 */
export async function fetchPeerCertificate(server: string): Promise<string | undefined> {
  const url = new URL(server);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: url.port === '' ? 443 : Number(url.port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    const settle = (pem: string | undefined) => {
      socket.destroy();
      resolve(pem);
    };
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      settle(raw === undefined ? undefined : encodePem('CERTIFICATE', raw));
    });
    socket.once('error', () => settle(undefined));
    socket.once('timeout', () => settle(undefined));
  });
}
