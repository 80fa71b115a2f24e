// The role `api`: guard, graph and REST over a ledger, on a socket. Goes out: where it listens, and how to end it.
import { createAccess } from '../access/access.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import type { Ledger } from '../database/open.ts'
import { openPrisma } from '../database/prisma.ts'
import { createGraph } from '../graph/graph.ts'
import { claim, completeClaim, releaseClaim } from '../ledger/account/idempotency.ts'
import { readUnsubscribeSecret } from '../ledger/account/secret.ts'
import { createHead } from '../ledger/head.ts'
import { createReadiness } from '../ledger/read/readiness.ts'
import { createHttp } from '../rest/http.ts'
import { createListener } from '../rest/listen.ts'
import { createUnsubscribe } from '../rest/unsubscribe.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface ApiDeps {
  config: Config
  log: Log
  clock: Clock
  ledger: Ledger
  /** None: requests are not measured. */
  metrics: Metrics | undefined
}

/** Starts to serve. Throws a `StartupError` when the port or the certificate can't be had; nothing is left running then. */
export async function startApi({
  config,
  log,
  clock,
  ledger,
  metrics,
}: ApiDeps): Promise<{ address: string; stop(): Promise<void> }> {
  const { database } = ledger
  const { requestPool: pool } = database
  const access = createAccess({ pool, redisUrl: config.REDIS_URL, clock, log })
  if (config.REDIS_URL) metrics?.watchRedis(() => access.isRedisAsked() ?? true)
  const head = await createHead(database, clock)
  const prisma = openPrisma(database)
  const app = createHttp({
    guard: access.guard,
    graph: createGraph({
      ...{ database, prisma, head, clock, log },
      onRefusal: (code) =>
        metrics?.refusals.inc({ code, reason: code === 'SERVICE_UNAVAILABLE' ? 'database' : 'other' }),
    }),
    idempotency: {
      claim: (keyId, token, hash) => claim(pool, keyId, token, hash),
      complete: (keyId, token, answer) => completeClaim(pool, keyId, token, answer),
      release: (keyId, token) => releaseClaim(pool, keyId, token),
    },
    checkReadiness: createReadiness(pool, config.READY_MAX_LAG),
    unsubscribe: createUnsubscribe({ database, secret: await readUnsubscribeSecret(database) }),
    clock,
    log,
    metrics,
    trustProxy: config.TRUST_PROXY,
  })
  const stopParts = async () => {
    await head.stop()
    await access.stop()
    await prisma.$disconnect()
  }
  try {
    const { TLS_CERT: cert, TLS_KEY: key, HOST: host, PORT: port } = config
    const listener = createListener(app, { host, port, tls: cert && key ? { cert, key } : undefined })
    await access.start()
    const address = await listener.start()
    return { address, stop: () => listener.stop().then(stopParts) }
  } catch (error) {
    await stopParts()
    throw error
  }
}
