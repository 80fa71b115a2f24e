// The first half of `doctor`: the faults of the installation itself. Input: facts about this machine, the database and
// the configuration. Output: a line each, with the fix for a fault.
import type { Config } from '../base/config.ts'
import type { ServerFacts } from '../database/server-facts.ts'

export interface InstallationFacts {
  /** Such as `v24.1.0`. */
  node: string
  program: string
  memoryBytes: number
  /** Free and total bytes of the disk of DATA_DIR; null if the folder cannot be read. */
  disk: { free: number; total: number } | null
  dataDir: string
  isEmbedded: boolean
  /** Whether a request reaches the program over HTTPS, or from this machine alone. */
  config: Pick<Config, 'SMTP_URL' | 'PUBLIC_URL' | 'HOST' | 'TLS_CERT' | 'TRUST_PROXY'>
  server: ServerFacts
  /** Time of the newest indexed block; null before the first. */
  blockTime: Date | null
}

export interface Finding {
  verdict: 'ok' | 'warn' | 'bad'
  text: string
}

const GB = 2 ** 30
const MB = 2 ** 20
/** PostgreSQL stops when its disk is full; a day of a busy chain fits in this much. */
const LITTLE_DISK = 5 * GB
const NO_DISK = GB
/** The memory of indexing and serving together, with the database's cache. */
const LITTLE_MEMORY = 900 * MB
/** Of a process with all roles: three pools of 16, and a few of their own. */
const CONNECTIONS = 52
/** With a larger difference, ages and locks by different clocks disagree visibly. */
const MOST_SKEW_MS = 2_000
/** A block may be a little ahead of its producer's clock. */
const MOST_AHEAD_MS = 30_000
const LEAST_BUFFERS_MB = 128
/** The last month of Node 20's support. */
const NODE_20_ENDED = /^v20\./

/** `bad`: a fault now. `warn`: it works, and will fail later. */
const ok = (text: string): Finding => ({ verdict: 'ok', text })
const warn = (text: string): Finding => ({ verdict: 'warn', text })
const bad = (text: string): Finding => ({ verdict: 'bad', text })

export const judgeInstallation = (facts: InstallationFacts): Finding[] => [
  ...judgeMachine(facts),
  ...judgeServer(facts.server),
  ...judgeClock(facts),
  ...judgeConfig(facts.config),
]

function judgeMachine({ node, program, memoryBytes, disk, dataDir, isEmbedded }: InstallationFacts): Finding[] {
  const versions = `Assay ${program} on Node ${node.slice(1)}`
  const memory = `${Math.round(memoryBytes / MB)} MB of memory`
  const where = `${dataDir} has ${disk ? toSize(disk.free) : 'an unknown part'} free`
  return [
    NODE_20_ENDED.test(node) ? warn(`${versions}, which gets no more fixes: take Node 24`) : ok(versions),
    memoryBytes < LITTLE_MEMORY
      ? warn(`${memory}: give it ${LITTLE_MEMORY / MB} MB, or a database elsewhere`)
      : ok(memory),
    disk === null || disk.free >= LITTLE_DISK
      ? ok(where)
      : disk.free >= NO_DISK
        ? warn(`${where}: free some${isEmbedded ? ', since the database grows there' : ''}`)
        : bad(`${where}: free some, or set DATA_DIR to a folder on another disk`),
    isEmbedded ? ok('the embedded database') : ok('a database of its own: watch its disk there'),
  ]
}

function judgeServer(server: ServerFacts): Finding[] {
  const { version, encoding, maxConnections, connections, sharedBuffersMb, statementTimeoutMs } = server
  const free = maxConnections - connections
  const setting = (isFine: boolean, text: string, advice: string, verdict = bad) =>
    isFine ? ok(text) : verdict(`${text}: ${advice}`)
  return [
    ok(`PostgreSQL ${version}, ${toSize(server.databaseBytes)}`),
    setting(
      encoding === 'UTF8',
      `encoding ${encoding}`,
      'names of tokens need UTF8: make a new database with ENCODING UTF8',
    ),
    setting(
      !server.isReplica,
      server.isReplica ? 'a replica' : 'a server that can be written',
      'name the primary in DATABASE_URL',
    ),
    setting(server.fsync, `fsync ${onOff(server.fsync)}`, 'a power cut destroys the database: switch it on', warn),
    setting(
      server.fullPageWrites,
      `full_page_writes ${onOff(server.fullPageWrites)}`,
      'a power cut can destroy the database: switch it on',
      warn,
    ),
    setting(
      server.synchronousCommit !== 'off',
      `synchronous_commit ${server.synchronousCommit}`,
      'a power cut loses keys and alerts that were confirmed: switch it on',
      warn,
    ),
    setting(server.autovacuum, `autovacuum ${onOff(server.autovacuum)}`, 'tables grow without end: switch it on', warn),
    setting(
      free >= CONNECTIONS,
      `${connections} of ${maxConnections} connections are open`,
      `a process with all roles opens up to ${CONNECTIONS}: raise max_connections`,
      warn,
    ),
    setting(
      sharedBuffersMb >= LEAST_BUFFERS_MB,
      `shared_buffers ${Math.round(sharedBuffersMb)} MB`,
      'a quarter of the memory is usual',
      warn,
    ),
    setting(
      statementTimeoutMs === 0,
      `statement_timeout ${statementTimeoutMs === 0 ? 'none' : `${statementTimeoutMs} ms`}`,
      'indexes are built for minutes: set none for this user, the program has its own for requests',
      warn,
    ),
  ]
}

function judgeClock({ server: { nowMs, askedMs, answeredMs }, blockTime }: InstallationFacts): Finding[] {
  // The server read its clock at some moment between the question and the answer.
  const skewMs = nowMs < askedMs ? askedMs - nowMs : Math.max(0, nowMs - answeredMs)
  const clock = `the clock is ${(skewMs / 1_000).toFixed(1)} s from the database's`
  const aheadMs = blockTime ? blockTime.getTime() - answeredMs : 0
  return [
    skewMs <= MOST_SKEW_MS ? ok(clock) : bad(`${clock}: set both by NTP`),
    aheadMs <= MOST_AHEAD_MS
      ? ok('the newest block is not from the future')
      : bad(`the newest block is ${Math.round(aheadMs / 1_000)} s from the future: set the clock by NTP`),
  ]
}

const LOOPBACK = /^(127\.|::1$|localhost$)/

function judgeConfig({ SMTP_URL, PUBLIC_URL, HOST, TLS_CERT, TRUST_PROXY }: InstallationFacts['config']): Finding[] {
  const isOpen = !LOOPBACK.test(HOST)
  return [
    SMTP_URL && !PUBLIC_URL
      ? warn('PUBLIC_URL is not set: links in mails lead to the address on which the API listens')
      : ok(
          SMTP_URL
            ? 'mails leave by SMTP'
            : 'mails are written into the folder mail of DATA_DIR: set SMTP_URL to send them',
        ),
    isOpen && !TLS_CERT && TRUST_PROXY === undefined
      ? warn(`HOST is ${HOST} without TLS_CERT or TRUST_PROXY: keys travel in the clear`)
      : ok(`it listens on ${HOST}${TLS_CERT ? ' by HTTPS' : isOpen ? ', behind a proxy' : ', for this machine'}`),
  ]
}

const onOff = (value: boolean): string => (value ? 'on' : 'off')
const toSize = (bytes: number): string =>
  bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${Math.round(bytes / MB)} MB`
