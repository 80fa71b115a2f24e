// Serves the demo chain over HTTP. The storm controls its head, and ranges are capped as at a provider, so that a
// backfill takes many batches.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../src/base/clock.ts'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import type { Call } from '../../src/chain/rpc/endpoint.ts'

export interface StormSource {
  url: string
  /** Sets the head to `from`; from there it advances to `to`, block by block. */
  release(from: number, to: number): void
  /** From now on requests are accepted and never answered. */
  silence(): void
  /** From now on every request gets this text; null: the chain answers again. */
  answerWith(text: string | null): void
  /** Resolves at the next request. */
  asked(): Promise<void>
  close(): void
}

/** Time between two blocks while the head advances. */
const BLOCK_MS = 25
/** The longest range of blocks that a request may ask for. */
const MOST_BLOCKS = 40
/** The JSON-RPC code of each kind of error; -32000 for all others. */
const CODES: Readonly<Record<string, number>> = { execution: 3, unsupported: -32601 }

export async function startStormSource(blockMs = BLOCK_MS): Promise<StormSource> {
  let [from, to, since] = [0, 0, 0]
  let wake = () => {}
  let isSilent = false
  let told: string | null = null
  const head = () => Math.min(to, from + Math.floor((systemClock.monotonicMs() - since) / blockMs))
  const replay = createReplay(readRecording(), { head })

  async function answer({ id, ...call }: Call & { id: unknown }) {
    const said = (more: object) => ({ jsonrpc: '2.0', id, ...more })
    const [filter] = call.params as { fromBlock?: string; toBlock?: string }[]
    if (call.method === 'eth_getLogs' && Number(filter?.toBlock ?? 0) - Number(filter?.fromBlock ?? 0) >= MOST_BLOCKS)
      return said({ error: { code: -32000, message: `block range is too wide, maximum ${MOST_BLOCKS} blocks` } })
    const [given] = await replay.send([call], new AbortController().signal)
    if (!given?.error) return said({ result: given?.result })
    return said({ error: { code: CODES[given.error.kind] ?? -32000, message: given.error.message } })
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    wake()
    if (isSilent) return
    if (told !== null) return void response.writeHead(200, { 'content-type': 'application/json' }).end(told)
    const asked = JSON.parse(body) as Parameters<typeof answer>[0]
    const answered = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answered))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: (first, last) => {
      ;[from, to, since] = [first, last, systemClock.monotonicMs()]
    },
    silence: () => {
      isSilent = true
    },
    answerWith: (text) => {
      told = text
    },
    asked: () =>
      new Promise((resolve) => {
        wake = resolve
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
