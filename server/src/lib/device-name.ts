import bowser from 'bowser';

/** A name by which a person recognises a device, such as `Chrome, Windows`. */
export function deviceName(userAgent: string): string {
  if (!userAgent) return '';
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 80);
}
