import { outboundRequest } from '#lib/outbound-http.ts';

/** Turkey's national registry: its public SOAP service confirms that a number, a name and a year of birth match. */

const action = 'http://tckimlik.nvi.gov.tr/WS/TCKimlikNoDogrula';
const timeoutMs = 8000;
const maxBytes = 20_000;

/** The registry gave no usable answer. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
}

export interface Claim {
  readonly number: string;
  /** In Turkish capitals, as in the registry. */
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD */
  readonly born: string;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escape = (text: string): string => text.replace(/\p{Cc}/gu, '').replace(/[&<>"']/g, it => escapes[it]!);

const envelope = ({ number, firstName, lastName, born }: Claim): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` +
  `<TCKimlikNoDogrula xmlns="http://tckimlik.nvi.gov.tr/WS"><TCKimlikNo>${escape(number)}</TCKimlikNo><Ad>${escape(firstName)}</Ad>` +
  `<Soyad>${escape(lastName)}</Soyad><DogumYili>${born.slice(0, 4)}</DogumYili></TCKimlikNoDogrula></soap:Body></soap:Envelope>`;

/** Whether the registry confirms a claim (SOAP 1.1); throws RegistryUnavailable. */
export async function askRegistry(url: string, claim: Claim): Promise<boolean> {
  let status = 0;
  let text = '';
  try {
    ({ status, text } = await outboundRequest({
      url,
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` },
      body: envelope(claim),
      allowInside: true,
      timeoutMs,
      maxBytes,
    }));
  } catch (error) {
    throw new RegistryUnavailable((error as Error).name);
  }
  const result = /<(?:\w+:)?TCKimlikNoDogrulaResult>\s*(true|false)\s*</i.exec(text)?.[1]?.toLowerCase();
  if (status !== 200 || !result) throw new RegistryUnavailable(`status ${status}`);
  return result === 'true';
}
