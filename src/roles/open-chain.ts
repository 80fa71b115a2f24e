// Opens the chain of a configuration: a network in a thread of its own, or the demo chain in this one. Input: the
// options of the program. Output: the chain that the role `index` reads.
import type { Connected, ConnectOptions } from '../chain/connect/connect.ts'
import { connectInThread } from '../chain/connect/in-thread.ts'
import type { SentRequest } from '../chain/rpc/sent.ts'
import { logNotice, logSpell, logTrouble } from '../chain/rpc/trouble.ts'
import type { AppOptions } from '../cli/context.ts'
import type { OpeningChain } from './index.ts'

/** Begins to connect. */
export function openChain({ config, log, clock, signal }: AppOptions): OpeningChain {
  const closing = new AbortController()
  const ending = AbortSignal.any([signal, closing.signal])
  const { RPC_URL: urls, CHAIN_CONFIG: override, HISTORY_FILES: historyFiles, DATA_DIR: dataDir } = config
  const reading = { historyFiles, receiptsShare: config.CHECK_RECEIPTS, hasTraces: config.TRACES === 'on' }
  const { onSent, listen } = createRelay()
  const reports = { onTrouble: logTrouble(log), onSent, onSpell: logSpell(log), onNotice: logNotice(log) }
  const options = { ...reading, override, signal: ending, ...reports }
  const demo = { dataDir, isStill: config.DEMO === 'still', onNews: (news: string) => log.info(`demo: ${news}`) }
  const connected = urls ? connectInThread({ urls, ...options }) : connectHere({ urls, demo, clock, ...options })
  // The caller who awaits it gets the error. Until then the rejection must not count as unhandled.
  connected.catch(() => {})
  return { connected, signal: ending, listen, close: () => closing.abort() }
}

/** Keeps the few requests that are sent before anybody counts them. */
function createRelay() {
  const early: SentRequest[] = []
  let tell = (sent: SentRequest): void => void early.push(sent)
  return {
    onSent: (sent: SentRequest) => tell(sent),
    listen(onSent: (sent: SentRequest) => void): void {
      for (const sent of early.splice(0)) onSent(sent)
      tell = onSent
    },
  }
}

async function connectHere(options: ConnectOptions): Promise<Connected> {
  const { connectChain } = await import('../chain/connect/connect.ts')
  return connectChain(options)
}
