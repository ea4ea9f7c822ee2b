// A cluster of three database nodes on this machine, with the user and the databases of the service: Galera, or a MySQL
// group.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GaleraNode } from './galera-node.ts';
import { GroupNode } from './group-node.ts';
import { type ClusterNode, run } from './node.ts';

export const USER = 'forecourt';
const PASSWORD = 'secret-of-the-cluster';
const NUMBERS = [1, 2, 3];
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

export type OpenCluster<N extends ClusterNode = ClusterNode> = (folder: string) => Promise<Cluster<N>>;

interface Kind<N extends ClusterNode> {
  /** Makes the node with that number, from 1 on. */
  make(name: string, folder: string, number: number): Promise<N>;
  /** Rights of the user of the service, beside those on its database. */
  readonly rights: readonly string[];
  /** The nodes that take writes now. */
  writers(nodes: readonly N[]): Promise<readonly N[]>;
}

export const openGalera: OpenCluster<GaleraNode> = (folder) =>
  Cluster.open(folder, {
    make: (name, place) => GaleraNode.make(name, place),
    rights: [],
    writers: async (nodes) => nodes,
  });

/** Unpacks MySQL the first time. */
export const openGroup: OpenCluster<GroupNode> = async (folder) => {
  const { stdout } = await run('sh', [join(CHECKOUT, 'scripts', 'database-server.sh'), 'mysql']);
  const programs = stdout.trim();
  return Cluster.open(folder, {
    make: (name, place, number) => GroupNode.make(name, place, { programs, number }),
    rights: ['SELECT ON performance_schema.replication_group_members'],
    writers: async (nodes) => {
      const roles = await Promise.all(nodes.map(async (node) => (await node.status())?.role));
      return nodes.filter((_, index) => roles[index] === 'PRIMARY');
    },
  });
};

export class Cluster<N extends ClusterNode = ClusterNode> {
  readonly nodes: readonly N[];
  /** The nodes that take writes now: all of Galera, the primary of a group. */
  readonly writers: () => Promise<readonly N[]>;

  private constructor(nodes: readonly N[], writers: () => Promise<readonly N[]>) {
    this.nodes = nodes;
    this.writers = writers;
  }

  /** Starts the nodes, and makes the user of the service. All nodes are in sync at the end. */
  static async open<N extends ClusterNode>(folder: string, kind: Kind<N>): Promise<Cluster<N>> {
    const nodes: N[] = [];
    for (const number of NUMBERS)
      nodes.push(await kind.make(`node${number}`, join(folder, `node${number}`), number));
    for (const node of nodes)
      await node.configure(nodes.map(({ clusterPort }) => `127.0.0.1:${clusterPort}`));
    const cluster = new Cluster(nodes, () => kind.writers(nodes));
    const { first } = cluster;
    await first.start({ bootstrap: true });
    await first.synced();
    await first.query(`CREATE USER ${USER}@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`);
    for (const right of [`ALL ON \`${USER}%\`.*`, ...kind.rights])
      await first.query(`GRANT ${right} TO ${USER}@'127.0.0.1'`);
    for (const node of nodes.slice(1)) {
      await node.start();
      await node.synced();
    }
    return cluster;
  }

  get first(): N {
    return this.node(0);
  }

  /** The node whose end hurts most. */
  async victim(): Promise<N> {
    const [first, second = first] = await this.writers();
    if (!second) throw new Error('No node of the cluster takes writes');
    return second;
  }

  node(index: number): N {
    const node = this.nodes[index % this.nodes.length];
    if (!node) throw new Error('The cluster has no node');
    return node;
  }

  /** Makes an empty database that the service may use. */
  async createDatabase(name: string): Promise<void> {
    await this.first.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  }

  /** For DATABASE_URL: all nodes, the named one first. */
  url(name: string, first: number): string {
    return this.urlOf(
      name,
      this.nodes.map((_, index) => this.node(first + index)),
    );
  }

  /** For DATABASE_URL: these nodes. */
  urlOf(name: string, nodes: readonly N[]): string {
    return `mysql://${USER}:${PASSWORD}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/${name}`;
  }

  /** Ends all nodes at once: nobody needs their data any more. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }
}
