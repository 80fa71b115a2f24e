// Connects to the chain to index: the network of RPC_URL, or the demo chain, which answers in process through the same
// source. Output: source, reader and preset of one chain, or a `StartupError` that says why it cannot connect.
import type { Clock } from '../../base/clock.ts'
import { createChainReader } from '../contracts/contracts.ts'
import type { ChainReader } from '../contracts/reader.ts'
import type { Preset } from '../presets/preset.ts'
import { loadPreset } from '../presets/presets.ts'
import { type DemoOptions, openDemo } from '../replay/demo-chain.ts'
import { readChainId } from '../rpc/chain-id.ts'
import type { Endpoint } from '../rpc/endpoint.ts'
import { createRpc, type Rpc } from '../rpc/rpc.ts'
import type { SentRequest } from '../rpc/sent.ts'
import type { OnNotice, Spell, Trouble } from '../rpc/trouble.ts'
import type { Coverage, History } from '../source/history.ts'
import { createSource, type Source } from '../source/source.ts'

export interface Connected {
  source: Source
  reader: ChainReader
  preset: Preset
  /** What `HISTORY_FILES` covers; null if every block comes from the node. */
  files: Coverage | null
  /** The demo chain, for questions that the reader does not ask; null for a network. */
  demo: Endpoint | null
}

/** A chain that this thread reads itself. */
export interface ConnectedHere extends Connected {
  rpc: Rpc
}

export interface ConnectOptions {
  /** Undefined: the demo chain. */
  urls: readonly string[] | undefined
  /** The text of CHAIN_CONFIG. */
  override: string | undefined
  /** The folder of HISTORY_FILES; undefined if every block comes from the node. */
  historyFiles?: string | undefined
  /** How the demo chain moves; undefined if it stands still. */
  demo?: DemoOptions | undefined
  clock: Clock
  onTrouble(trouble: Trouble): void
  /** See `RpcOptions`. */
  onSent?: ((sent: SentRequest) => void) | undefined
  onSpell?: ((spell: Spell) => void) | undefined
  /** See `SourceOptions`. */
  receiptsShare?: number | undefined
  hasTraces?: boolean | undefined
  onNotice?: OnNotice | undefined
  signal: AbortSignal
}

/** Attempts before the start fails: about two seconds. */
const PROBE_ATTEMPTS = 4

/** Reads the chain id and opens that chain. */
export async function connectChain(options: ConnectOptions): Promise<ConnectedHere> {
  const { urls, override, historyFiles, demo, clock, signal, onTrouble, receiptsShare, hasTraces, onNotice } = options
  const recorded = urls ? null : openDemo(demo, clock)
  const behind = recorded ? { endpoints: [recorded] } : { urls: urls ?? [] }
  const parts = { ...behind, clock, signal, onTrouble, onSent: options.onSent }
  // A wrong URL should stop the start within seconds. A running program waits for the same fault to pass.
  const probe = createRpc({ ...parts, attempts: PROBE_ATTEMPTS })
  const chainId = await readChainId(probe)
  const preset = loadPreset(chainId, override)
  const rpc = createRpc({ ...parts, chainId, onSpell: options.onSpell })
  const history = historyFiles === undefined ? undefined : await openFiles(historyFiles, preset, rpc)
  return {
    rpc,
    source: createSource({ rpc, preset, clock, history, receiptsShare, hasTraces, onNotice }),
    reader: createChainReader(rpc, preset, onNotice),
    preset,
    files: history?.coverage ?? null,
    demo: recorded,
  }
}

/** Loaded only for a chain with files. */
async function openFiles(folder: string, preset: Preset, rpc: Rpc): Promise<History> {
  const { openHistory } = await import('../files/history.ts')
  return openHistory({ folder, preset, rpc })
}
