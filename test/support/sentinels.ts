// A Redis master with two replicas and three Sentinels, which make a replica the master when it is silent for a second.
// Each is a process of its own on a free port of this machine.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Part, startPart } from '../storm/cluster/parts.ts'
import { untilThere } from './patience.ts'
import { findPort } from './servers.ts'

const NAME = 'assay'

export interface SentinelCluster {
  /** For REDIS_URL. */
  url: string
  /** The master at first, and its replicas. */
  master: Part
  replicas: readonly Part[]
  /** The port of the master that the Sentinels tell. */
  findMaster(): number
  kill(): Promise<unknown>
}

/** `settings` are arguments of every Redis. */
export async function startSentinels(folder: string, settings: readonly string[] = []): Promise<SentinelCluster> {
  const startServer = async (more: readonly string[]) => {
    const port = await findPort()
    const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--dbfilename', `${port}.rdb`]
    return startPart(port, 'redis-server', [
      ...place,
      '--save',
      '',
      '--repl-diskless-sync-delay',
      '0',
      ...settings,
      ...more,
    ])
  }
  const master = await startServer([])
  const replicas = [0, 1].map(() => startServer(['--replicaof', '127.0.0.1', `${master.port}`]))
  const servers = [master, ...(await Promise.all(replicas))]
  const sentinels = await Promise.all(
    [0, 1, 2].map(async () => {
      const port = await findPort()
      const file = join(folder, `sentinel-${port}.conf`)
      writeFileSync(
        file,
        `port ${port}\nbind 127.0.0.1\ndir ${folder}\nsentinel monitor ${NAME} 127.0.0.1 ${master.port} 2
sentinel down-after-milliseconds ${NAME} 1000\nsentinel failover-timeout ${NAME} 5000\n`,
      )
      return startPart(port, 'redis-server', [file, '--sentinel'])
    }),
  )
  const ask = (port: number, ...words: string[]) =>
    spawnSync('redis-cli', ['-p', `${port}`, ...words], { encoding: 'utf8' }).stdout
  const [first] = sentinels
  const all = [...servers, ...sentinels]
  let told = ''
  const knowEachOther = () => {
    told = ask(first?.port ?? 0, 'sentinel', 'master', NAME)
    return /num-slaves\n2\n[\s\S]*num-other-sentinels\n2\n/.test(told)
  }
  await untilThere(knowEachOther, () => `the Sentinels do not know each other: ${told}`)
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    master,
    replicas: servers.slice(1),
    findMaster: () => Number(ask(first?.port ?? 0, 'sentinel', 'get-master-addr-by-name', NAME).split('\n')[1]),
    kill: () => Promise.all(all.map((each) => each.kill())),
  }
}
