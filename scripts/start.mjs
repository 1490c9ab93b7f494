// `npm start` installs and builds what is missing, then runs the server. Plain JavaScript without packages, because a fresh
// clone has none and the installed Node may be older than the product's.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeOptions, onNode, serverMain } from './lib/node.mjs';
import { root } from './lib/run.mjs';

const args = process.argv.slice(2);
await ensureInstalled();
if (!args.includes('--help')) await build();

const node = findNode();
// Caching compiled modules halves the time of the next start.
const NODE_COMPILE_CACHE = path.join(root, 'node_modules/.cache/node');
// No default for NODE_ENV: it would take precedence over the one in `.env`.
const env = { NODE_COMPILE_CACHE, ...process.env, ...onNode(node) };
// --help builds nothing, so a build may be missing or old.
const main = args.includes('--help') ? path.join(root, 'server/src/main.ts') : serverMain;
const server = spawn(node, [...nodeOptions, main, ...args], {
  cwd: root,
  env,
  // In its own process group Ctrl-C reaches the server once, through this process, and not also from the terminal or npm.
  detached: true,
  // If this process is killed, the channel closes and the server stops.
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});

let passedOn = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // npm forwards the Ctrl-C that the terminal has already sent.
    if (Date.now() - passedOn < 500) return;
    passedOn = Date.now();
    server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  });
}

server.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
