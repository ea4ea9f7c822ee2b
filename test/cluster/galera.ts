// A Galera cluster of MariaDB nodes on this machine, with the user and the databases of the service.
import { join } from 'node:path';
import { GaleraNode } from './galera-node.ts';

export const USER = 'forecourt';
const PASSWORD = 'secret-of-the-cluster';

export class Cluster {
  readonly nodes: readonly GaleraNode[];

  private constructor(nodes: readonly GaleraNode[]) {
    this.nodes = nodes;
  }

  /** Starts so many nodes, and makes the user of the service. All nodes are in sync at the end. */
  static async open(folder: string, size = 3): Promise<Cluster> {
    const nodes: GaleraNode[] = [];
    for (let number = 1; number <= size; number += 1)
      nodes.push(await GaleraNode.make(`node${number}`, join(folder, `node${number}`)));
    for (const node of nodes) await node.configure(nodes);
    const cluster = new Cluster(nodes);
    await cluster.first.makeData();
    await cluster.first.start({ bootstrap: true });
    await cluster.first.synced();
    await cluster.first.query(`CREATE USER ${USER}@'127.0.0.1' IDENTIFIED BY '${PASSWORD}'`);
    await cluster.first.query(`GRANT ALL ON \`${USER}%\`.* TO ${USER}@'127.0.0.1'`);
    for (const node of nodes.slice(1)) {
      await node.start();
      await node.synced();
    }
    return cluster;
  }

  get first(): GaleraNode {
    return this.node(0);
  }

  node(index: number): GaleraNode {
    const node = this.nodes[index % this.nodes.length];
    if (!node) throw new Error('The cluster has no node');
    return node;
  }

  /** Makes an empty database that the service may use. */
  async createDatabase(name: string): Promise<void> {
    await this.first.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  }

  /** For DATABASE_URL: all nodes, that one first. */
  url(name: string, first: number): string {
    const hosts = this.nodes.map((_, index) => `127.0.0.1:${this.node(first + index).port}`);
    return `mysql://${USER}:${PASSWORD}@${hosts.join()}/${name}`;
  }

  /** Ends all nodes at once: nobody needs their data any more. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }
}
