// A ClickHouse server of a test file, in a temporary folder and with a port of its own, where the program is installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './folder.ts'
import { untilThere } from './patience.ts'
import { findPort } from './servers.ts'

/** Debian's server has no option that only prints something, so its client tells the version. */
export const HAS_CLICKHOUSE = spawnSync('clickhouse-client', ['--version']).status === 0

export const CLICKHOUSE_PASSWORD = 'not-for-the-log'

export interface ClickHouse {
  /** Of the database, with the credentials of a user who may do everything in it. */
  url: string
  /** Runs a statement, and returns what it prints. */
  run(sql: string): Promise<string>
  /** Ends the server at once. */
  kill(): Promise<void>
  start(): Promise<void>
}

const USERS = `<yandex><profiles><default/></profiles><quotas><default/></quotas><users><assay>
  <password>${CLICKHOUSE_PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
</assay></users></yandex>`

const configOf = (folder: string, [http, tcp]: readonly [number, number]) => `<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size><max_connections>64</max_connections>
</yandex>`

export async function startClickHouse(): Promise<ClickHouse & { stop(): Promise<void> }> {
  const folder = makeFolder('clickhouse')
  for (const name of ['data', 'tmp']) mkdirSync(join(folder, name))
  const ports = [await findPort(), await findPort()] as const
  writeFileSync(join(folder, 'users.xml'), USERS)
  writeFileSync(join(folder, 'config.xml'), configOf(folder, ports))
  const place = `http://127.0.0.1:${ports[0]}`
  const headers = { 'X-ClickHouse-User': 'assay', 'X-ClickHouse-Key': CLICKHOUSE_PASSWORD }
  let child: ChildProcess | null = null
  const run = async (sql: string): Promise<string> => {
    const response = await fetch(`${place}/?database=assay`, { method: 'POST', headers, body: sql })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text.trim()
  }
  const kill = async () => {
    const [running] = [child]
    child = null
    if (running === null || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const start = async () => {
    child = spawn('clickhouse-server', [`--config-file=${join(folder, 'config.xml')}`], { stdio: 'ignore' })
    const isThere = () => {
      if (child?.exitCode !== null) throw new Error('clickhouse-server ended at its start')
      return answers(place)
    }
    await untilThere(isThere, () => 'clickhouse-server did not start')
  }
  await start()
  await fetch(place, { method: 'POST', headers, body: 'CREATE DATABASE IF NOT EXISTS assay' })
  const url = `http://assay:${CLICKHOUSE_PASSWORD}@127.0.0.1:${ports[0]}/assay`
  return { url, run, kill, start, stop: kill }
}

const answers = async (place: string): Promise<boolean> => {
  const response = await fetch(`${place}/ping`).catch(() => null)
  return response?.ok ?? false
}
