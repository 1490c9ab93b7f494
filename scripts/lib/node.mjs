import { existsSync } from 'node:fs';
import path from 'node:path';
import { giveUp, root } from './run.mjs';

const wanted = 24;

/** The Node for the product: the packaged one, or the one that runs this script if it is new enough. */
export function findNode() {
  const packaged = path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(packaged)) return packaged;
  if (Number(process.versions.node.split('.')[0]) >= wanted) return process.execPath;
  return giveUp(
    `Node ${wanted} or later is needed on ${process.platform}-${process.arch}: install it from https://nodejs.org`,
  );
}

/** V8 keeps the memory of a young generation that was large once. With half of it the process stays 80 MB smaller. */
export const nodeOptions = ['--max-semi-space-size=8'];

/** The built server, which loads in half of the time of its sources. */
export const serverMain = path.join(root, 'server/dist/main.js');

/** A PATH with that Node first, so that tools started by name use it too. */
export const onNode = node => ({ PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) });
