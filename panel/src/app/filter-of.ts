const isMac = (text: string) => /^([\dA-F]{2}:){5}[\dA-F]{2}$/.test(text);
const isIp = (text: string) => /^\d+(\.\d+){3}$/.test(text) || URL.canParse(`http://[${text}]`);

/** The filter of the online list that shows a found session. Without a MAC and an IP address, its Acct-Session-Id is the title. */
export const filterOf = (title: string) => (isMac(title) ? 'mac' : isIp(title) ? 'ip' : 'search');
