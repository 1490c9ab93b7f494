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

/** A complete MAC address in the format of formatMac. */
export const macPattern = /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/;
export const isMac = (text: string): boolean => macPattern.test(text);

/**
 * True for a locally administered address, as phones make one for every network (IEEE 802, section 8.2.2). It changes
 * from time to time, so it identifies a device less well than a factory address.
 */
export const isMadeUpMac = (mac: string): boolean => /^.[2367ABEF]/i.test(mac);
