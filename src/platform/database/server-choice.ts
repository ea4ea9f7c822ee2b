// Chooses the server of new connections if DATABASE_URL lists several. The first that is in sync is used until it
// fails. Then its connections are cut, so that no request waits for a server that is gone. A server that only reads is
// never chosen. There is no way back to the first one: that would break off requests once more.
import { connect, type Socket } from 'node:net';
import type { Connection } from 'mysql2';
import type { Host } from '../config-value.ts';
import { NoServer, reportOf, type ServerState } from './server-state.ts';
import { type ConnectionSettings, mysqlOptions } from './settings.ts';

const CHECK_MS = 1_000;
/** The states in which the current server stays in use. */
const STAYS: ReadonlySet<ServerState> = new Set(['synced', 'full']);
const NONE = 'no server of DATABASE_URL can be used';

export class ServerChoice {
  private readonly settings: ConnectionSettings;
  private readonly hosts: readonly Host[];
  private readonly onMove: (host: string) => void;
  private readonly sockets = new Map<Host, Set<Socket>>();
  private readonly timer?: NodeJS.Timeout;
  private current?: Host;
  /** The server in use, or the one before. */
  private last?: Host;
  /** The connections of pools that may be used again. */
  private usable = new WeakSet<Connection>();
  private choosing?: Promise<Host>;
  /** The last look found no usable server. Only the timer looks again: requests do not wait for servers that hang. */
  private isLost = false;
  private checking = false;

  /** `onMove` gets `host:port` of the next server. */
  constructor(settings: ConnectionSettings, onMove: (host: string) => void = () => {}) {
    this.settings = settings;
    this.hosts = settings.hosts ?? [];
    this.onMove = onMove;
    if (this.isChoice) this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  /** Whether there are several servers. */
  get isChoice(): boolean {
    return this.hosts.length > 1;
  }

  /** The mysql2 options of a new connection. Throws NoServer. */
  async options() {
    if (!this.isChoice) return mysqlOptions(this.settings);
    if (this.isLost) throw new NoServer(NONE);
    const host = this.current ?? (await this.choose());
    return { ...mysqlOptions(this.settings, host), stream: () => this.open(host) };
  }

  /** A new connection of a pool, to a server that takes writes. */
  adopt(connection: Connection): void {
    this.usable.add(connection);
  }

  /** Whether a connection goes to the server of new connections. */
  isCurrent(connection: Connection): boolean {
    const { host, port } = connection.config;
    if (!this.usable.has(connection)) return false;
    return !this.isChoice || (host === this.current?.host && port === this.current?.port);
  }

  /**
   * A server takes no writes any more: no connection is used again, and the next one is made to the server that takes
   * writes now. Behind one name this may be another machine.
   */
  renew(): void {
    this.usable = new WeakSet();
    this.current = undefined;
    this.isLost = false;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private choose(): Promise<Host> {
    this.choosing ??= this.find()
      .then((host) => {
        this.use(host);
        if (!host) throw new NoServer(NONE);
        return host;
      })
      .finally(() => {
        this.choosing = undefined;
      });
    return this.choosing;
  }

  private use(host: Host | undefined): void {
    this.current = host;
    this.isLost = !host;
    if (!host) return;
    if (this.last && this.last !== host) this.onMove(`${host.host}:${host.port}`);
    this.last = host;
  }

  /**
   * The first server in sync, otherwise the first that answers; both take writes. Connections to a server that is away
   * are cut. Connections to a server that is up finish their work, and the pool does not use them again.
   */
  private async find(): Promise<Host | undefined> {
    const reports = await Promise.all(this.hosts.map((host) => reportOf(this.settings, host)));
    for (const [index, { state }] of reports.entries()) if (state === 'away') this.cut(this.hosts[index]);
    const first = (wanted: ServerState) => this.hosts[reports.findIndex(({ state }) => state === wanted)];
    return first('synced') ?? first('ready');
  }

  /**
   * Moves to another server if there is none, or if the current one has failed or is behind a server in sync. Stays
   * with a server that is only full: its connections go on.
   */
  private async check(): Promise<void> {
    const host = this.current;
    if (this.checking || !(host || this.isLost)) return;
    this.checking = true;
    try {
      if (host && STAYS.has((await reportOf(this.settings, host)).state)) return;
      const next = await this.find();
      if (next !== host) this.use(next);
    } finally {
      this.checking = false;
    }
  }

  /** We open the socket ourselves, because closing it is the only way to end a statement that waits for its answer. */
  private open(host: Host): Socket {
    const socket = connect(host.port, host.host).setNoDelay(true).setKeepAlive(true);
    const sockets = this.sockets.get(host) ?? new Set();
    this.sockets.set(host, sockets.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      void this.check();
    });
    return socket;
  }

  private cut(host: Host | undefined): void {
    const lost = Object.assign(new Error('the server of this connection has failed'), {
      code: 'PROTOCOL_CONNECTION_LOST',
    });
    for (const socket of (host && this.sockets.get(host)) ?? []) socket.destroy(lost);
  }
}
