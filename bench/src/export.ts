import { to as copyTo } from 'pg-copy-streams';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const tenant = 'bench1';
const tenantId = '00000000-0000-4000-8000-000000000001';

async function drain(stream: AsyncIterable<Buffer | Uint8Array>): Promise<{ lines: number; firstMs: number; seconds: number }> {
  const started = performance.now();
  let firstMs = 0;
  let lines = 0;
  for await (const chunk of stream) {
    firstMs ||= performance.now() - started;
    for (const byte of chunk) if (byte === 10) lines++;
  }
  return { lines, firstMs, seconds: (performance.now() - started) / 1000 };
}

/** The export of every session of a tenant, against COPY of the same rows straight from the database. */
export async function measureExport(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const client = await product.connect();
  const copy = await drain(
    client.query(
      copyTo(`copy (select v.name, v.phone, s.client_mac, s.client_ip, s.started_at, s.ended_at, s.download, s.upload from session_history s
        left join visitors v on v.tenant_id = s.tenant_id and v.id = s.visitor_id where s.tenant_id = '${tenantId}' order by s.started_at desc) to stdout csv`),
    ),
  );
  await client.end();
  const year = (offset: number) => `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)} 00:00:00`;
  const path = `/v1/panel/reports/sessions?download=true&per_page=1000000&session_date=${encodeURIComponent(`${year(-370)},${year(1)}`)}`;
  const response = await fetch(product.url + path, {
    headers: { authorization: `Bearer ${token}`, 'x-tenant': tenant, 'accept-encoding': 'identity' },
  });
  if (!response.ok || !response.body) throw new Error(`Export: ${response.status} ${await response.text()}`);
  const ours = await drain(response.body);
  const rate = (it: { lines: number; seconds: number }) => it.lines / it.seconds;
  return [
    {
      work: 'session export, rows/s',
      ours: `${rate(ours).toFixed(0)} (${ours.lines} lines)`,
      reference: `COPY ${rate(copy).toFixed(0)} (${copy.lines} lines)`,
      ratio: rate(ours) / rate(copy),
      goal: { least: 0.85 },
    },
    { work: 'session export, first byte', ours: `${ours.firstMs.toFixed(1)} ms`, reference: `COPY ${copy.firstMs.toFixed(1)} ms` },
  ];
}
