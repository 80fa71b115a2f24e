// A real EVM for tests: anvil from the npm package, else from the PATH. Null if there is none; the test is then skipped
// with that reason. It spawns the binary rather than its node wrapper, so that signals reach it. It ends with the test
// process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { untilThere } from './patience.ts'

/** Use it in `describe.skipIf(!anvilBinary)`, with the reason in the title. */
export const anvilBinary: string | null = findAnvil()
export const ANVIL_MISSING = 'skipped: no anvil binary for this platform and none on the PATH'

export interface AnvilOptions {
  /** Time of block 0, in seconds since 1970. */
  timestamp?: number
  chainId?: number
  /** 1: the finalized block is 2 blocks behind the head; 32: 64 blocks. */
  slotsInAnEpoch?: number
  /** Mine only on request. */
  noMining?: boolean
  /** Transactions pay for their gas, as on a public chain. */
  takesFees?: boolean
  /** Further arguments for anvil. */
  arguments?: string[]
}

export interface Anvil {
  url: string
  rpc<T = unknown>(method: string, params?: unknown[]): Promise<T>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts anvil on a free port and waits until it answers. Every account may send free transactions without its key. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  if (!anvilBinary) throw new Error(ANVIL_MISSING)
  const port = await findPort()
  const child = spawn(anvilBinary, toArguments(port, options), { stdio: ['ignore', 'ignore', 'pipe'] })
  running.add(child)
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000)
  })
  const url = `http://127.0.0.1:${port}`
  const rpc = createRpc(url)
  const answers = () => {
    if (child.exitCode !== null) throw new Error(`anvil ended with ${child.exitCode}: ${complaint}`)
    return rpc('eth_chainId').then(
      () => true,
      () => false,
    )
  }
  await untilThere(answers, () => `anvil does not answer: ${complaint}`)
  return { url, rpc, stop: () => stop(child) }
}

/** JSON-RPC over HTTP; throws an error answer with its code and message. */
function createRpc(url: string): Anvil['rpc'] {
  let id = 0
  return async <T>(method: string, params: unknown[] = []) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const answer = (await response.json()) as { result?: T; error?: { code: number; message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`)
    return answer.result as T
  }
}

function toArguments(port: number, options: AnvilOptions): string[] {
  return [
    '--port',
    String(port),
    '--quiet',
    '--auto-impersonate',
    '--order',
    'fifo',
    '--timestamp',
    String(options.timestamp ?? 1_760_000_000),
    '--chain-id',
    String(options.chainId ?? 31_337),
    '--slots-in-an-epoch',
    String(options.slotsInAnEpoch ?? 1),
    '--gas-limit',
    '1000000000',
    ...(options.takesFees ? [] : ['--base-fee', '0', '--gas-price', '0', '--disable-min-priority-fee']),
    ...(options.noMining ? ['--no-mining'] : []),
    ...(options.arguments ?? []),
  ]
}

function findAnvil(): string | null {
  try {
    const require = createRequire(import.meta.url)
    const folder = join(require.resolve('@foundry-rs/anvil-linux-amd64/package.json'), '..')
    const path = join(folder, 'bin', 'anvil')
    if (existsSync(path)) return path
  } catch {
    // Not installed on this platform, so try the PATH.
  }
  return spawnSync('anvil', ['--version']).status === 0 ? 'anvil' : null
}

/** A port that was free a moment ago. */
function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
