// `npm start`: installs and builds what is missing, then runs the server. Plain JavaScript without packages, because on
// a fresh clone there are none yet, and the machine's Node may be an older one than the product's.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, onNode } from './lib/node.mjs';
import { root } from './lib/run.mjs';

const args = process.argv.slice(2);
await ensureInstalled();
if (!args.includes('--help')) await build();

const node = findNode();
// Compiled modules are kept, which saves half of the next start.
const NODE_COMPILE_CACHE = path.join(root, 'node_modules/.cache/node');
const env = { NODE_ENV: 'development', NODE_COMPILE_CACHE, ...process.env, ...onNode(node) };
const server = spawn(node, [path.join(root, 'server/src/main.ts'), ...args], {
  cwd: root,
  env,
  // A group of its own: Ctrl-C reaches it once, through us, and not a second time from the terminal or from npm.
  detached: true,
  // When we are killed outright, the channel closes and the server ends itself.
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});

let passedOn = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // npm passes on the Ctrl-C that the terminal has sent us already.
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
