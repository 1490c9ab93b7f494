/**
 * Upper case, pairs joined by colons: A1:B2:C3:D4:E5:F6. Anything that is not a letter or digit is dropped first. In a
 * file of its own, so that a search box in the panel does not bring the schemas along.
 */
export const formatMac = (typed: string): string =>
  (
    typed
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 12)
      .match(/.{1,2}/g) ?? []
  ).join(':');

/** A whole MAC address, as formatMac writes it. */
export const macPattern = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;
export const isMac = (text: string): boolean => macPattern.test(text);

/**
 * An address that a device made up, as phones do for every network: the bit for locally administered ones is set (IEEE 802,
 * section 8.2.2). It changes now and then, so that it tells less than one from the factory.
 */
export const isMadeUpMac = (mac: string): boolean => /^.[2367ABEF]/i.test(mac);
