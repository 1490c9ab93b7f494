import { createServer } from 'node:http';

/** A fake national registry (SOAP 1.1) that knows the people a test names, and can be unavailable. */
export async function openRegistry(port = 0) {
  const asked: string[] = [];
  const people = new Set<string>();
  let away: 'no' | 'silent' | 'broken' | 'elsewhere' = 'no';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const read = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';
      asked.push(body);
      if (away === 'silent') return request.socket.destroy();
      if (away === 'elsewhere') return response.writeHead(302, { location: '/true' }).end();
      const known = people.has([read('TCKimlikNo'), read('Ad'), read('Soyad'), read('DogumYili')].join('|'));
      const right = request.headers['soapaction'] === '"http://tckimlik.nvi.gov.tr/WS/TCKimlikNoDogrula"';
      response.writeHead(away === 'broken' || !right ? 500 : 200, { 'content-type': 'text/xml; charset=utf-8' });
      response.end(
        `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` +
          `<TCKimlikNoDogrulaResponse xmlns="http://tckimlik.nvi.gov.tr/WS"><TCKimlikNoDogrulaResult>${known}` +
          `</TCKimlikNoDogrulaResult></TCKimlikNoDogrulaResponse></soap:Body></soap:Envelope>`,
      );
    });
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/Service/KPSPublic.asmx`,
    people,
    asked,
    be: (how: typeof away) => {
      away = how;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
