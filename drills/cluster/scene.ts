// The common part of the cluster scripts: a cluster of three nodes, a process of the service at each, a proxy in front,
// and a garage. All of it is in one folder and ends with close().
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type Json, send } from '../../test/support/client/client.ts';
import { openTenant, type Tenant } from '../../test/support/process/process-garage.ts';
import { until } from '../../test/support/service/until.ts';
import type { Cluster, OpenCluster } from './cluster.ts';
import { Haproxy } from './haproxy.ts';
import type { ClusterNode } from './node.ts';
import { ServiceProcess } from './processes.ts';
import { Tally } from './tally.ts';

const SECRET = 'the signing secret of the cluster';

export class Scene<N extends ClusterNode = ClusterNode> {
  readonly folder: string;
  readonly cluster: Cluster<N>;
  readonly processes: readonly ServiceProcess[];
  readonly proxy: Haproxy;
  /** All answers that `ask` got. */
  tally = new Tally();
  private garage?: Tenant;

  private constructor(
    folder: string,
    cluster: Cluster<N>,
    processes: readonly ServiceProcess[],
    proxy: Haproxy,
  ) {
    this.folder = folder;
    this.cluster = cluster;
    this.processes = processes;
    this.proxy = proxy;
  }

  /** Starts the nodes. No process runs yet. */
  static async open<N extends ClusterNode>(
    folder: string,
    openCluster: OpenCluster<N>,
    changes: NodeJS.ProcessEnv = {},
  ): Promise<Scene<N>> {
    const cluster = await openCluster(join(folder, 'nodes'));
    const proxy = await Haproxy.make();
    await cluster.createDatabase('forecourt');
    const storage = join(folder, 'storage');
    await mkdir(storage);
    const processes: ServiceProcess[] = [];
    for (const index of cluster.nodes.keys()) {
      const name = `process${index + 1}`;
      const url = cluster.url('forecourt', index);
      const env = { DATABASE_URL: url, PUBLIC_URL: proxy.url, SIGNING_SECRET: SECRET, ...changes };
      processes.push(await ServiceProcess.make(name, folder, { storage, changes: env }));
    }
    return new Scene(folder, cluster, processes, proxy);
  }

  /** Starts all processes, one after the other as the first time migrates, the proxy, and makes a garage. */
  async start(): Promise<void> {
    for (const process of this.processes) {
      process.launch();
      await process.listening();
    }
    await this.proxy.start(
      this.folder,
      this.processes.map(({ port }) => port),
    );
    this.garage = await openTenant(this.process(0).env);
    // Logs in at one process. The others know the token a moment later at most.
    for (const { url } of this.processes)
      await until(async () => (await this.tenant.ask(url, 'GET', '/owner')).status === 200);
  }

  get tenant(): Tenant {
    if (!this.garage) throw new Error('The scene has no garage yet');
    return this.garage;
  }

  process(index: number): ServiceProcess {
    const process = this.processes[index % this.processes.length];
    if (!process) throw new Error('The scene has no process');
    return process;
  }

  /** A counted request to the process with this index, by the garage's ADMIN unless another token is given. */
  async ask(
    index: number,
    method: string,
    path: string,
    { body, headers = {} }: { body?: Json; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { url } = this.process(index);
    const token = await this.tenant.token(url);
    const answer = await send(method, `${url}/v2${path}`, {
      headers: { 'content-type': 'application/json', token, ...headers },
      body: body && JSON.stringify(body),
    });
    this.tally.add(answer, `${method} ${path}`);
    return answer;
  }

  /** Adds a record by the first process. Throws if that is refused. */
  async add(resource: string, body: Json): Promise<number> {
    const answer = await this.ask(0, 'POST', `/${resource}`, { body });
    if (answer.status !== 201) throw new Error(`POST /${resource} answered ${answer.status}: ${answer.text}`);
    return answer.data.id;
  }

  /** Changes a record by the first process. Throws if that is refused. */
  async change(resource: string, id: number, body: Json): Promise<void> {
    const answer = await this.ask(0, 'PUT', `/${resource}/${id}`, { body });
    if (answer.status !== 200) throw new Error(`PUT /${resource} answered ${answer.status}: ${answer.text}`);
  }

  /** The records of a list that fit a filter, read at the first process. */
  async list(resource: string, filter: string): Promise<Json[]> {
    const answer = await this.ask(
      0,
      'GET',
      `/${resource}?page_size=1000&filter=${encodeURIComponent(filter)}`,
    );
    if (answer.status !== 200) throw new Error(`GET /${resource} answered ${answer.status}: ${answer.text}`);
    return answer.data;
  }

  /** All records of a resource, read page by page at the first process. */
  async listAll(resource: string): Promise<Json[]> {
    const records: Json[] = [];
    for (let cursor = ''; ; ) {
      const page = await this.ask(0, 'GET', `/${resource}?page_size=1000${cursor}`);
      if (page.status !== 200) throw new Error(`GET /${resource} answered ${page.status}: ${page.text}`);
      records.push(...page.data);
      if (page.body.next === null) return records;
      cursor = `&cursor=${encodeURIComponent(page.body.next)}`;
    }
  }

  /** Waits until each node has all that was committed before at any node. */
  async settle(): Promise<void> {
    await Promise.all(this.cluster.nodes.map((node) => node.catchUp()));
  }

  /** The errors in the logs of all processes. */
  errors(): string[] {
    return this.processes.flatMap((process) =>
      [...process.errors()].map(([what, count]) => `${process.name}: ${count} × ${what}`),
    );
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await Promise.all(this.processes.map((process) => process.end('SIGKILL')));
    await this.cluster.close();
  }
}
