// The settings in which the program is attacked: the services beside it and its configuration.
import { createSocket, type Socket } from 'node:dgram'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CERTIFICATE, PRIVATE_KEY } from '../../support/certificate.ts'
import { startGate } from '../../support/gate.ts'
import { type StormSource, startStormSource } from '../source.ts'
import type { Setting } from './attack.ts'
import { startRedis } from './redis.ts'
import { type Server, startServer } from './server.ts'
import type { Stage } from './stage.ts'

export interface Opened {
  server: Server
  /** Stops the program; returns the faults of its exit. */
  close(): Promise<string[]>
}

type SecondDatabase = { environment: Record<string, string>; end(): void }

/** The services beside the program, for attacks that disturb them. */
export const beside: {
  redis?: Awaited<ReturnType<typeof startRedis>>
  gate?: Awaited<ReturnType<typeof startGate>>
  /** The node that the index follows. */
  node?: StormSource
  /** A name server that never answers. */
  names?: Socket
} = {}

/** Has the program ask the name server at this port of this machine. */
const askNamesAt = (port: number): string => {
  const resolve4 = 'Resolver.prototype.resolve4'
  const script = `import{Resolver}from"node:dns/promises";const ask=${resolve4};
    ${resolve4}=function(name){this.setServers(["127.0.0.1:${port}"]);return ask.call(this,name)}`
  return `--import=data:text/javascript,${encodeURIComponent(script)}`
}

const NOTHING = { end: () => {} }

const OPEN: Readonly<Record<Setting, (stage: Stage) => Promise<SecondDatabase>>> = {
  plain: async () => ({ environment: {}, ...NOTHING }),
  leaving: async () => ({ environment: {}, ...NOTHING }),
  // People may sign up, and no mail server answers.
  proxy: async () => ({
    environment: { TRUST_PROXY: 'true', SIGNUP: 'open', SMTP_URL: 'smtp://127.0.0.1:9' },
    ...NOTHING,
  }),
  tls: async ({ dataDir }) => {
    const [cert, key] = [join(dataDir, 'certificate.pem'), join(dataDir, 'key.pem')]
    writeFileSync(cert, CERTIFICATE)
    writeFileSync(key, PRIVATE_KEY)
    return { environment: { TLS_CERT: cert, TLS_KEY: key }, ...NOTHING }
  },
  redis: async () => {
    const redis = await startRedis()
    beside.redis = redis
    return { environment: { REDIS_URL: redis.url }, end: redis.end }
  },
  database: async ({ databaseUrl }) => {
    const gate = await startGate(databaseUrl)
    beside.gate = gate
    return { environment: { DATABASE_URL: gate.url }, end: gate.cut }
  },
  node: async ({ pool }) => {
    const { rows } = await pool.query<{ head: number }>('SELECT max(number) AS head FROM block')
    const head = rows[0]?.head ?? 0
    const node = await startStormSource()
    node.release(head, head)
    beside.node = node
    return { environment: { RPC_URL: node.url }, end: node.close }
  },
  receivers: async () => {
    const names = createSocket('udp4')
    await new Promise<void>((bound) => names.bind(0, '127.0.0.1', bound))
    beside.names = names
    const environment = { WEBHOOK_ALLOW_LOOPBACK: 'true', NODE_OPTIONS: askNamesAt(names.address().port) }
    return { environment, end: () => names.close() }
  },
}

export async function openSetting(stage: Stage, setting: Setting): Promise<Opened> {
  const { environment, end } = await OPEN[setting](stage)
  const options = { environment: { ...stage.environment, ...environment }, isBuilt: stage.isBuilt }
  const server = await startServer(options).catch((error) => {
    end()
    throw error
  })
  return {
    server,
    close: async () => {
      const wasAlive = server.isAlive()
      const code = await server.stop()
      end()
      return wasAlive && code !== 0 ? [`it ended with ${code} when it was told to`] : []
    },
  }
}
