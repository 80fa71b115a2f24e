// Three PostgreSQL servers under Patroni, and three members of etcd. Input: a folder and the user of the servers.
// Output: the members, which can be killed, paused and rebuilt. Patroni alone decides which one leads.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../src/database/client.ts'
import { findPort } from '../../support/servers.ts'
import type { Machine, Network } from './network.ts'
import { listens, type Part, startPart } from './parts.ts'

export interface Member {
  name: string
  host: string
  port: number
  /** Patroni's REST, which HAProxy asks. */
  restPort: number
  url: string
  /** As if its machine lost power. */
  kill(): Promise<void>
  start(): void
  /** Ends the server alone, without a word. */
  crash(): void
  /** As a machine that is suspended: nothing answers, and nothing ends. */
  pause(): void
  resume(): void
  machine: Machine
}

export interface PatroniCluster {
  members: readonly Member[]
  etcd: readonly Part[]
  findLeader(): Promise<Member>
  /** Copies a replica anew from the leader. */
  rebuild(member: Member): Promise<void>
  /**
   * Resolves when one member leads and the others have all that it had, with `isSynchronous` one of them synchronously.
   * A former leader counts as a replica for Patroni before it is rewound, so the leader itself tells who follows it.
   */
  whole(): Promise<void>
  /** The ends of Patroni's logs. */
  lastWords(): string
}

export interface ClusterOptions {
  folder: string
  /** Null: the user of this process. */
  owner: { uid: number; gid: number } | null
  isSynchronous: boolean
  network: Network
}

export const MEMBER_NAMES = ['one', 'two', 'three'] as const
const PROGRAMS = ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'redis-server'] as const
/** Patroni's shortest time after which a silent leader has lost its place. */
const TTL_SECONDS = 20
const PARAMETERS = {
  fsync: 'off',
  wal_writer_delay: '10ms',
  wal_keep_size: '1GB',
  max_connections: 200,
  shared_buffers: '64MB',
  jit: 'off',
  log_min_messages: 'warning',
}
const LONGEST_WAIT_MS = 120_000
/** Lines of each Patroni's log that a failed rehearsal prints. */
const LAST_LINES = 15

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The newest PostgreSQL whose programs Patroni can use; null: none is installed. */
function findPostgres(): string | null {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : []
  return (
    versions.map((version) => join(folder, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_rewind'))) ?? null
  )
}

/** The programs that a rehearsal needs and this machine lacks. */
export const findMissingPrograms = (): string[] => [
  ...PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0),
  ...(findPostgres() ? [] : ['postgresql']),
]

/** Why no leader may be suspended; null: each may. */
export function whyNotSuspended(): string | null {
  const said = spawnSync('patroni', ['--version'], { encoding: 'utf8' }).stdout
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0] ?? '0.0.0'
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major > 3 || (major === 3 && (minor > 0 || patch >= 3))) return null
  return `Patroni ${version} gives it its place back, and drops what its successor has committed; 3.0.3 does not`
}

export async function startPatroniCluster(options: ClusterOptions): Promise<PatroniCluster> {
  const { folder, network } = options
  const etcd = await startEtcd(folder, network.host)
  const hosts = etcd.map(({ port }) => `${network.host}:${port}`)
  const members: Member[] = []
  for (const [at, machine] of network.machines.entries())
    members.push(await makeMember(MEMBER_NAMES[at] ?? '', machine, hosts, options))
  for (const member of members) member.start()
  const find = async (path: string, among: readonly Member[]) => {
    const found = await Promise.all(among.map(async (member) => ((await asks(member, path)) ? [member] : [])))
    return found.flat()
  }
  const cluster: PatroniCluster = {
    members,
    etcd,
    findLeader: () =>
      until('a leader', async () => {
        const [leader] = await find('/primary', members)
        return leader ?? null
      }),
    async rebuild(member) {
      const body = JSON.stringify({ force: true })
      const { status } = await fetch(`http://${member.host}:${member.restPort}/reinitialize`, { method: 'POST', body })
      if (status !== 200) throw new Error(`Patroni refused to rebuild ${member.name}: ${status}`)
      await until(`${member.name} is gone`, async () => ((await asks(member, '/replica')) ? null : member))
      await until(`${member.name} follows`, async () => ((await asks(member, '/replica')) ? member : null))
    },
    lastWords: () =>
      members
        .flatMap(({ name }) =>
          readFileSync(join(folder, `patroni-${name}.log`), 'utf8')
            .split('\n')
            .slice(-LAST_LINES),
        )
        .join('\n'),
    whole: async () => {
      await until('a leader with two replicas', async () => {
        const [leaders = [], replicas = [], synchronous = []] = await Promise.all(
          ['/primary', '/replica', '/sync'].map((path) => find(path, members)),
        )
        // A leader that is being promoted counts as both for a moment.
        const others = replicas.filter((member) => !leaders.includes(member))
        const isSafe = !options.isSynchronous || synchronous.length === 1
        const [leader] = leaders
        if (!leader || leaders.length > 1 || others.length < 2 || !isSafe) return null
        return (await countFollowers(leader)) === 2 ? true : null
      })
    },
  }
  await cluster.whole()
  return cluster
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (const sinceMs = performance.now(); performance.now() - sinceMs < LONGEST_WAIT_MS; ) {
    const found = await look()
    if (found !== null) return found
    await pause(100)
  }
  throw new Error(`the cluster has not come to this in ${LONGEST_WAIT_MS / 1_000} s: ${what}`)
}

const asks = async ({ host, restPort }: Member, path: string): Promise<boolean> => {
  const answer = await fetch(`http://${host}:${restPort}${path}`, { signal: AbortSignal.timeout(1_000) }).catch(
    () => null,
  )
  await answer?.body?.cancel()
  return answer?.status === 200
}

/** How many members receive this one's log and have replayed what it had half a second ago; 0: it is away. */
async function countFollowers({ url }: Member): Promise<number> {
  const server = openDatabase(url.replace(/assay$/, 'postgres'), { size: 1 })
  try {
    const { rows } = await server.pool.query<{ place: string }>('SELECT pg_current_wal_lsn()::text AS place')
    await pause(500)
    const found = await server.pool.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_replication WHERE state = 'streaming' AND replay_lsn >= $1::pg_lsn`,
      [rows[0]?.place],
    )
    return found.rows[0]?.count ?? 0
  } catch {
    return 0
  } finally {
    await server.close()
  }
}

async function startEtcd(folder: string, host: string): Promise<Part[]> {
  const names = ['e1', 'e2', 'e3']
  const places = await Promise.all(
    names.map(async (name) => ({ name, peer: await findPort(), port: await findPort() })),
  )
  const all = places.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',')
  // The first members answer when a majority is there.
  return Promise.all(
    places.map(({ name, peer, port }) =>
      startPart(port, 'etcd', [
        ...['--name', name, '--data-dir', join(folder, `etcd-${name}`), '--logger', 'zap', '--log-level', 'error'],
        ...['--listen-client-urls', `http://0.0.0.0:${port}`, '--advertise-client-urls', `http://${host}:${port}`],
        ...[
          '--listen-peer-urls',
          `http://127.0.0.1:${peer}`,
          '--initial-advertise-peer-urls',
          `http://127.0.0.1:${peer}`,
        ],
        ...['--initial-cluster', all, '--initial-cluster-state', 'new'],
      ]),
    ),
  )
}

async function makeMember(
  name: string,
  machine: Machine,
  hosts: readonly string[],
  options: ClusterOptions,
): Promise<Member> {
  const { folder, owner, isSynchronous } = options
  const { host } = machine
  const [port, restPort] = [await findPort(), await findPort()]
  const home = join(folder, `patroni-${name}`)
  mkdirSync(home)
  const data = join(home, 'data')
  const rest = `${host}:${restPort}`
  const config = {
    ...{ scope: 'assay', name, restapi: { listen: rest, connect_address: rest }, etcd3: { hosts } },
    bootstrap: {
      dcs: {
        ...{ ttl: TTL_SECONDS, loop_wait: 5, retry_timeout: 5, synchronous_mode: isSynchronous },
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
    },
    postgresql: {
      ...{ listen: `${host}:${port}`, connect_address: `${host}:${port}`, data_dir: data, bin_dir: findPostgres() },
      authentication: { superuser: { username: 'assay' }, replication: { username: 'replicator' } },
      ...{ pgpass: join(home, 'pgpass'), parameters: { unix_socket_directories: home } },
      basebackup: [{ checkpoint: 'fast' }],
      // A former leader that cannot be rewound is copied anew, which an operator would do by hand.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
  const file = join(home, 'patroni.yml')
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify(config))
  chmodSync(home, 0o700)
  if (owner) for (const path of [home, file]) chownSync(path, owner.uid, owner.gid)
  // Patroni may run in a child of the program that was started.
  const tree = () => [...findProcesses('-f', file), ...listServer(data)]
  const signal = (name: NodeJS.Signals) => {
    for (const pid of tree())
      try {
        process.kill(pid, name)
      } catch {
        // It has ended meanwhile.
      }
  }
  return {
    ...{ name, host, port, restPort, machine, url: `postgres://assay@${host}:${port}/assay` },
    start() {
      const log = openSync(join(folder, `patroni-${name}.log`), 'a')
      const as = owner
        ? ['setpriv', '--reuid', `${owner.uid}`, '--regid', `${owner.gid}`, '--clear-groups', 'patroni']
        : ['patroni']
      const [program = '', ...args] = machine.wrap([...as, file])
      spawn(program, args, {
        cwd: home,
        stdio: ['ignore', log, log],
        env: { PATH: process.env.PATH, HOME: home },
      })
    },
    async kill() {
      signal('SIGKILL')
      while (await listens(port, host)) await pause(50)
    },
    crash() {
      for (const pid of listServer(data).slice(0, 1)) process.kill(pid, 'SIGKILL')
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
  }
}

/** The processes of the server with this data. The first one goes first: it would start others in place of its children. */
function listServer(data: string): number[] {
  const [text] = existsSync(join(data, 'postmaster.pid'))
    ? readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    : []
  const first = Number(text)
  if (!first || !existsSync(`/proc/${first}`)) return []
  return [first, ...findProcesses('-P', String(first))]
}

const findProcesses = (...by: readonly string[]): number[] =>
  spawnSync('pgrep', by, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean).map(Number)
