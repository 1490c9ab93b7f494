import path from 'node:path';

/**
 * The cycles of imports in `files` (path to text), each as a sorted list of paths. Imports of types count as well: a reader
 * has to understand all files of a cycle at once. Imports that run later, such as `import('./a.ts')`, do not count.
 */
export function importCycles(files) {
  const targets = new Map([...files].map(([file, text]) => [file, importedFiles(file, text, files)]));
  return stronglyConnected(targets).map(cycle => cycle.sort());
}

const importLine = /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/gm;

function importedFiles(file, text, files) {
  const [workspace] = file.split('/');
  return [...text.matchAll(importLine)]
    .map(([, name]) => {
      if (name.startsWith('.')) return path.posix.join(path.posix.dirname(file), name);
      return name.replace(/^#/, `${workspace}/src/`).replace(/^@portico\/(contract|radius)\//, '$1/src/');
    })
    .filter(target => files.has(target));
}

/** Tarjan's algorithm; groups of one node are left out. */
function stronglyConnected(targets) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const groups = [];

  function visit(node) {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const target of targets.get(node)) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group);
  }

  for (const node of targets.keys()) if (!index.has(node)) visit(node);
  return groups;
}
