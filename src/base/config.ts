// Reads the environment once, with a default per variable, and reports all problems in one message. No other file reads
// process.env.
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ChainPaths, ChainPlace } from './chains.ts'
import { StartupError } from './errors.ts'
import { pageUrl } from './page-url.ts'
import { readSecretFiles } from './secret-file.ts'
import { SETTING_FORMS as form } from './setting.ts'
import { PLANS } from './vocabulary.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const ENVIRONMENT = z.object({
  PORT: form.whole(0, 65_535).default(4000),
  HOST: form.text.default('127.0.0.1'),
  DATA_DIR: form.text.default('./.assay').transform((path) => resolve(path)),
  /** Unset: the embedded PostgreSQL under DATA_DIR. */
  DATABASE_URL: form.url('postgres:', 'postgresql:').optional(),
  /** The same database behind a pooler that gives a connection for one transaction. Unset: requests use DATABASE_URL too. */
  DATABASE_POOL_URL: form.url('postgres:', 'postgresql:').optional(),
  /** Streaming replicas of DATABASE_URL, separated by commas. Unset: everything is read from DATABASE_URL. */
  DATABASE_REPLICA_URL: form.databases.optional(),
  /** Unset: limits are counted in the database and in the process. */
  REDIS_URL: form.redis.optional(),
  /** Unset: the demo chain. Several URLs, separated by commas, are tried in this order. */
  RPC_URL: form.urls.optional(),
  /** Several chains, in place of RPC_URL: the first is the default chain. Unset: one chain. */
  CHAINS: form.chains.optional(),
  /** The chain of this process or command. Unset: all of CHAINS, or the default one for a command. */
  CHAIN: form.text.optional(),
  /** A WebSocket of a node that tells of new blocks. Unset: they are looked for by time. */
  HEADS_URL: form.url('ws:', 'wss:').optional(),
  /** Whether the demo chain moves on after its recording. */
  DEMO: z.enum(['moving', 'still'], 'must be moving or still').default('moving'),
  /** Unset: the preset's first block. */
  START_BLOCK: form.whole(0, 2 ** 31 - 1).optional(),
  /** The start of a new index in a person's words; an existing index continues. Unset: START_BLOCK. */
  START: form.start.optional(),
  /** A JSON file merged into the preset of the chain id. */
  CHAIN_CONFIG: form.file.optional(),
  /** A folder of cryo's Parquet files: the node is not asked for their blocks. */
  HISTORY_FILES: form.folder.optional(),
  /**
   * The share of final blocks whose logs are checked against their receipts. Unfinalised blocks are all checked, unless
   * it is 0.
   */
  CHECK_RECEIPTS: form.share.default(0.01),
  /** Whether payments inside transactions are read from the node's traces, on a chain that does not log them. */
  TRACES: z.enum(['on', 'off'], 'must be on or off').default('off'),
  /** When new blocks are read: each at once, those faster than .22 s several at once, or all of some seconds. */
  HEAD_READS: form.headReads.default({ kind: 'latency' }),
  /** Days before the newest final block for which events are kept. Unset: for ever. */
  EVENTS_KEPT_DAYS: form.whole(30, 36_500).optional(),
  /** The folder to which older events move from the database, as Parquet files. Unset: the database keeps all. */
  HISTORY_DIR: form.folder.optional(),
  /** The ClickHouse database to which they move instead: http://user:password@host:8123/database. */
  HISTORY_URL: form.clickhouse.optional(),
  /** Days before the newest final block after which events move there. */
  HISTORY_AFTER_DAYS: form.whole(8, 36_500).default(30),
  /** Whether callers on the API plan may ask SQL over the index. */
  SQL: z.enum(['on', 'off'], 'must be on or off').default('off'),
  /** Whether the contracts of tokens are checked. */
  CONTRACT_CHECKS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  /** The most calls of contract checks in a minute, for all tokens together. Unset: 600, and any number to a node of one's own. */
  CONTRACT_CALLS_PER_MINUTE: form.whole(1, 100_000).optional(),
  TLS_CERT: form.file.optional(),
  TLS_KEY: form.file.optional(),
  /** Unset: no proxy is trusted. */
  TRUST_PROXY: form.proxies.optional(),
  /** Unset: no metrics are served. */
  METRICS_PORT: form.whole(0, 65_535).optional(),
  /** The OpenTelemetry collector that gets metrics and traces. Unset: nothing is sent. */
  OTEL_EXPORTER_OTLP_ENDPOINT: form.url('http:', 'https:').optional(),
  OTEL_SERVICE_NAME: form.text.default('assay'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  /** The share of requests logged at `info`; 5xx answers are always logged. Unset: all, or none on a terminal. */
  ACCESS_LOG: form.share.optional(),
  /** How far the index may be behind the source before /readyz answers 503. */
  READY_MAX_LAG: form.maxLag.default({ seconds: 300 }),
  /** The base URL of links in mails. Unset: http://HOST:PORT. */
  PUBLIC_URL: form.url('http:', 'https:').optional(),
  /** Where a weakness is reported. Unset: no /.well-known/security.txt. */
  SECURITY_CONTACT: form.url('mailto:', 'https:').optional(),
  /** Unset: mails are written as .eml files under DATA_DIR. */
  SMTP_URL: form.url('smtp:', 'smtps:').optional(),
  MAIL_FROM: form.text.default('Assay <alerts@localhost>'),
  /** Who gets a Free key by a mail: nobody, anybody, or people with an invite. */
  SIGNUP: z.enum(['off', 'open', 'invite'], 'must be off, open or invite').default('off'),
  DKIM_DOMAIN: form.text.optional(),
  DKIM_SELECTOR: form.text.optional(),
  DKIM_PRIVATE_KEY: form.file.optional(),
  /** Lets webhooks call this machine, and use http: for development. */
  WEBHOOK_ALLOW_LOOPBACK: form.flag.default(false),
  /** The ports that webhooks may call. */
  WEBHOOK_PORTS: form.ports.default([443]),
  /** An OpenAI-compatible API that writes summaries. Unset: summaries are composed from the facts. */
  SUMMARY_API_URL: form.url('http:', 'https:').optional(),
  SUMMARY_API_KEY: form.text.optional(),
  SUMMARY_MODEL: form.text.optional(),
  /** The authorization server whose tokens `/mcp` takes beside keys. Unset: keys only. */
  OAUTH_ISSUER: form.safeServer.optional(),
  /** The audience of its tokens. Unset: the address of `/mcp` below PUBLIC_URL. */
  OAUTH_AUDIENCE: form.text.optional(),
  /** The scope that a token needs. Unset: none. */
  OAUTH_SCOPE: form.text.regex(/^[!#-[\]-~]+$/, 'must be one scope').optional(),
  /** The plan of the accounts of its subjects. */
  OAUTH_PLAN: z.enum(PLANS, `must be one of ${PLANS.join(', ')}`).default('free'),
  /** The most accounts of its subjects. */
  OAUTH_ACCOUNTS: form.whole(1, 1_000_000).default(10_000),
  /** The address that requests without a key pay to, by x402. Unset: every request needs a key. */
  X402_PAY_TO: form.account.optional(),
  /** The price of one request, in units of the token. */
  X402_PRICE: form.text.regex(/^[1-9]\d{0,29}$/, 'must be a whole number of units of the token').optional(),
  /** The chain of the token, in the form of CAIP-2. */
  X402_NETWORK: form.text.regex(/^eip155:[1-9]\d{0,14}$/, 'must be like eip155:8453').optional(),
  /** A token with `transferWithAuthorization` of EIP-3009, and the domain of its signatures. */
  X402_ASSET: form.account.optional(),
  X402_ASSET_NAME: form.text.max(100).optional(),
  X402_ASSET_VERSION: form.text.max(20).optional(),
  /** The node that confirms payments. */
  X402_NODE_URL: form.url('http:', 'https:').optional(),
  /** The account of that node that sends the transfers. Unset: the facilitator sends them. */
  X402_SENDER: form.account.optional(),
  /** A facilitator that sends the transfers. Unset: the node does. */
  X402_FACILITATOR_URL: form.safeServer.optional(),
  /** The header Authorization of requests to it. */
  X402_FACILITATOR_AUTH: form.text.optional(),
  /** Blocks after which a transfer is certain, its own included. */
  X402_CONFIRMATIONS: form.whole(1, 1_000).default(2),
  /** How long what a payment has left over can be used. */
  X402_CREDIT_DAYS: form.whole(1, 3_650).default(30),
  /** The key with which `mcp` asks a server. */
  ASSAY_KEY: form.text.optional(),
})

/** Variables that must be set together. */
const TOGETHER = [
  ['TLS_CERT', 'TLS_KEY'],
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
  ['SUMMARY_API_URL', 'SUMMARY_MODEL'],
  ['X402_PAY_TO', 'X402_PRICE', 'X402_NETWORK', 'X402_ASSET', 'X402_ASSET_NAME', 'X402_ASSET_VERSION', 'X402_NODE_URL'],
] as const

/** Turns off checks for library developers, such as graphql's check of every value. Call it before importing them. */
export function skipDevelopmentChecks(): void {
  process.env.NODE_ENV ??= 'production'
}

export type Config = Readonly<
  z.output<typeof ENVIRONMENT> & {
    /** The schema of the chain in a database of several; undefined: the default chain's. */
    schema?: string | undefined
  }
>

/** Settings that describe one network, so that they are wrong for several. */
const OF_ONE_CHAIN = ['START_BLOCK', 'CHAIN_CONFIG', 'HISTORY_FILES', 'HEADS_URL'] as const

/** The configuration of one chain of several. */
export function toChainConfig(config: Config, { name, schema, urls }: ChainPlace): Config {
  const own: Config = { ...config, RPC_URL: urls, schema }
  if (schema === undefined) return own
  // Links of a further chain lead below its path.
  return { ...own, PUBLIC_URL: config.PUBLIC_URL && pageUrl(config.PUBLIC_URL, `/${name}`) }
}

/** Whether somebody reads the metrics of a process. */
export const isMeasured = ({ METRICS_PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: collector }: Config): boolean =>
  port !== undefined || collector !== undefined

/** The chains besides the default one that a process serves together with it. */
export const furtherChains = ({ CHAINS: chains = [], CHAIN: chain }: Config): ChainPlace[] =>
  chain === undefined ? chains.slice(1) : []

/** The path of the chain with this schema: empty for the default one. */
export const chainPathOf = ({ schema }: Partial<Pick<ChainPlace, 'schema'>>): string =>
  schema === undefined ? '' : `/${schema}`

/** Undefined: the installation has one chain. */
export const chainPathsOf = (config: Config): ChainPaths | undefined =>
  config.CHAINS && {
    path: chainPathOf(config),
    all: new Map(config.CHAINS.map((chain) => [chain.name, chainPathOf(chain)])),
  }

/** Who may sign up here; null: nobody. Accounts are shared, so the default chain opens them for all. */
export const signupModeOf = ({ SIGNUP: mode, schema }: Config): 'open' | 'invite' | null =>
  mode === 'off' || schema !== undefined ? null : mode

/** The configuration of the chain of this name; undefined: of the chain of this process, or the default one. */
export function chooseChain(config: Config, name = config.CHAIN): Config {
  const { CHAINS: chains } = config
  if (!chains && name === undefined) return config
  const chosen = name === undefined ? chains?.[0] : chains?.find((chain) => chain.name === name)
  if (chosen) return { ...toChainConfig(config, chosen), CHAIN: name }
  const names = chains?.map((chain) => chain.name).join(', ')
  throw new StartupError(`There is no chain ${name}: ${names ? `CHAINS has ${names}` : 'CHAINS is not set'}.`, 78)
}

const withoutEmpty = (environment: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value] as const] : [])),
  )

/** The current certificate in its files; null when none is set. Throws a `StartupError` for an unreadable file. */
export function readCertificate(
  environment: Record<string, string | undefined> = process.env,
): { cert: string; key: string } | null {
  const parsed = ENVIRONMENT.pick({ TLS_CERT: true, TLS_KEY: true }).safeParse(withoutEmpty(environment))
  if (!parsed.success) throw new StartupError(parsed.error.issues.map(({ message }) => message).join(', '), 78)
  const { TLS_CERT: cert, TLS_KEY: key } = parsed.data
  return cert && key ? { cert, key } : null
}

/** Whether blocks come from a network, not from the demo chain. */
const hasNetwork = (given: Record<string, string>): boolean => 'RPC_URL' in given || 'CHAINS' in given

/** The configuration; throws a `StartupError` that lists every problem. An empty variable counts as unset. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const { environment: given, problems } = readSecretFiles(withoutEmpty(environment))
  const parsed = ENVIRONMENT.safeParse(given)
  for (const issue of parsed.error?.issues ?? []) problems.push(`${String(issue.path[0])}: ${issue.message}`)
  for (const names of TOGETHER) {
    const missing = names.filter((name) => !(name in given))
    if (missing.length > 0 && missing.length < names.length)
      problems.push(
        `${missing.join(', ')}: must be set together with ${names.filter((name) => name in given).join(', ')}`,
      )
  }
  for (const name of ['DATABASE_POOL_URL', 'DATABASE_REPLICA_URL'])
    if (name in given && !('DATABASE_URL' in given)) problems.push(`${name}: needs DATABASE_URL, the primary server`)
  if ('HISTORY_FILES' in given && !hasNetwork(given))
    problems.push('HISTORY_FILES: needs RPC_URL, for the data that the files lack')
  problems.push(...findHistoryProblems(given))
  if ('HEADS_URL' in given && !hasNetwork(given)) problems.push('HEADS_URL: needs RPC_URL, from which blocks are read')
  if ('HEADS_URL' in given && parsed.data?.HEAD_READS.kind === 'interval')
    problems.push('HEADS_URL: needs HEAD_READS=latency or block, because an interval waits for no single block')
  if (parsed.data && parsed.data.SIGNUP !== 'off' && !('SMTP_URL' in given))
    problems.push('SIGNUP: needs SMTP_URL, the server that sends the links')
  if ('OAUTH_ISSUER' in given && !('PUBLIC_URL' in given))
    problems.push('OAUTH_ISSUER: needs PUBLIC_URL, the address that its tokens are for')
  problems.push(...findPaymentProblems(given))
  if ('START' in given && !hasNetwork(given))
    problems.push("START: needs RPC_URL, because it is a point in a network's history")
  if ('START' in given && 'START_BLOCK' in given) problems.push('START: cannot be set together with START_BLOCK')
  if (parsed.data) problems.push(...findChainProblems(parsed.data, given))
  if (!parsed.success || problems.length > 0) {
    throw new StartupError(`The environment is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, 78)
  }
  return chooseChain(parsed.data)
}

function findHistoryProblems(given: Record<string, string>): string[] {
  const [first, second] = (['HISTORY_DIR', 'HISTORY_URL'] as const).filter((name) => name in given)
  return [
    ...(second ? ['HISTORY_URL: cannot be set together with HISTORY_DIR, because a history is in one place'] : []),
    ...(first && 'EVENTS_KEPT_DAYS' in given
      ? [`${first}: cannot be set together with EVENTS_KEPT_DAYS, which deletes what the history keeps`]
      : []),
    ...(!first && 'HISTORY_AFTER_DAYS' in given
      ? ['HISTORY_AFTER_DAYS: needs HISTORY_DIR or HISTORY_URL, the place to which events move']
      : []),
  ]
}

function findPaymentProblems(given: Record<string, string>): string[] {
  const senders = ['X402_SENDER', 'X402_FACILITATOR_URL'].filter((name) => name in given)
  const others = ['X402_FACILITATOR_AUTH', 'X402_CONFIRMATIONS', 'X402_CREDIT_DAYS', ...senders]
  if (!('X402_PAY_TO' in given))
    return others.filter((name) => name in given).map((name) => `${name}: needs X402_PAY_TO, which turns payments on`)
  return [
    ...('PUBLIC_URL' in given ? [] : ['X402_PAY_TO: needs PUBLIC_URL, the address that is paid for']),
    ...(senders.length === 1
      ? []
      : ['X402_PAY_TO: needs either X402_FACILITATOR_URL or X402_SENDER, which sends the transfers']),
    ...('X402_FACILITATOR_AUTH' in given && !('X402_FACILITATOR_URL' in given)
      ? ['X402_FACILITATOR_AUTH: needs X402_FACILITATOR_URL']
      : []),
  ]
}

function findChainProblems({ CHAINS: chains, CHAIN: chain }: Config, given: Record<string, string>): string[] {
  if (!chains) return chain === undefined ? [] : ['CHAIN: needs CHAINS, which names the chains']
  const isOne = chains.length === 1 || chain !== undefined
  return [
    ...('RPC_URL' in given ? ['RPC_URL: cannot be set together with CHAINS'] : []),
    ...(isOne
      ? []
      : OF_ONE_CHAIN.filter((name) => name in given).map((name) => `${name}: needs CHAIN, because it is of one chain`)),
    ...(chain === undefined || chains.some(({ name }) => name === chain)
      ? []
      : [`CHAIN: CHAINS has no chain ${chain}`]),
  ]
}
