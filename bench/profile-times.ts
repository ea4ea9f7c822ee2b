// Turns a V8 CPU profile into microseconds per request: by place (one function's own time) and by part (a package,
// a folder of src, a module of Node). A native function counts towards the part that called it.
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Waiting, and the profiler's own overhead. */
const NOT_BUSY = new Set(['(idle)', '(root)', '(program)']);

export interface Times {
  /** Microseconds per request, without idle time. */
  readonly busy: number;
  readonly parts: ReadonlyMap<string, number>;
  readonly places: ReadonlyMap<string, number>;
}

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export async function readProfile(file: string, requests: number): Promise<Times> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, 'utf8')) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const parts = new Map<string, number>();
  const places = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const node = byId.get(id);
    if (!node || NOT_BUSY.has(node.callFrame.functionName) || isProfiler(node, callers)) return;
    const cost = (timeDeltas[index] ?? 0) / requests;
    busy += cost;
    add(parts, partOf(node, callers), cost);
    add(places, placeOf(node, callers), cost);
  });
  return { busy, parts, places };
}

const add = (sums: Map<string, number>, name: string, amount: number) =>
  sums.set(name, (sums.get(name) ?? 0) + amount);

type Callers = ReadonlyMap<number, Node>;

function partOf(node: Node, callers: Callers): string {
  const { url, functionName } = node.callFrame;
  if (functionName === '(garbage collector)') return functionName;
  const file = fileOf(url);
  const [, module] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (module !== undefined) return module;
  const [, folder] = /^dist\/((?:src|bench)\/[^/]+)/.exec(file) ?? [];
  if (folder !== undefined) return folder;
  if (file.startsWith('node:')) return file.replace(/^node:(internal\/)?([^/]+).*/, 'node:$2');
  const caller = callers.get(node.id);
  return caller ? partOf(caller, callers) : '(native)';
}

/** Whether the profiler itself used this time. */
function isProfiler(node: Node, callers: Callers): boolean {
  return (
    node.callFrame.url.startsWith('node:inspector') ||
    callers.get(node.id)?.callFrame.url === 'node:inspector'
  );
}

function placeOf(node: Node, callers: Callers): string {
  const { functionName, url, lineNumber } = node.callFrame;
  const name = functionName || '(anonymous)';
  if (url !== '') return `${name} ${fileOf(url)}:${lineNumber + 1}`;
  const caller = callers.get(node.id)?.callFrame;
  return caller?.url ? `${name} ← ${caller.functionName || '(anonymous)'} ${fileOf(caller.url)}` : name;
}

function fileOf(url: string): string {
  if (url.startsWith('file:')) return relative(ROOT, fileURLToPath(url));
  return url.startsWith('/') ? relative(ROOT, url) : url;
}
