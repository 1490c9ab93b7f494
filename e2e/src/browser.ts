import { existsSync } from 'node:fs';

// Debian’s programs. The headless shell takes less time.
const headlessShell = '/usr/bin/chromium-headless-shell';
const installed = existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium';

export const executablePath = process.env['CHROMIUM'] ?? installed;
