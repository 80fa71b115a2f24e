// A chain to index: the network behind RPC_URL, or the demo chain, which answers in process through the same source.
// Goes out: source, reader and preset of one chain; a `StartupError` says why there is none.
import type { Clock } from '../../base/clock.ts'
import { createChainReader } from '../contracts/contracts.ts'
import type { ChainReader } from '../contracts/reader.ts'
import type { Preset } from '../presets/preset.ts'
import { loadPreset } from '../presets/presets.ts'
import { readRecording } from '../replay/recording.ts'
import { createReplay } from '../replay/replay.ts'
import { readChainId } from '../rpc/chain-id.ts'
import { createRpc } from '../rpc/rpc.ts'
import type { Trouble } from '../rpc/trouble.ts'
import { createSource, type Source } from '../source/source.ts'

export interface Connected {
  source: Source
  reader: ChainReader
  preset: Preset
}

export interface ConnectOptions {
  /** None: the demo chain. */
  urls: readonly string[] | undefined
  /** The text of CHAIN_CONFIG. */
  override: string | undefined
  clock: Clock
  onTrouble(trouble: Trouble): void
  signal: AbortSignal
}

/** About two seconds. */
const PROBE_ATTEMPTS = 4

/** Asks who is there, and opens the chain that answers. */
export async function connectChain(options: ConnectOptions): Promise<Connected> {
  const { urls, override, clock, signal, onTrouble } = options
  const behind = urls ? { urls } : { endpoints: [createReplay(readRecording())] }
  const parts = { ...behind, clock, signal, onTrouble }
  // At the start a wrong URL should be said soon; later on the same fault is waited out.
  const probe = createRpc({ ...parts, attempts: PROBE_ATTEMPTS })
  const chainId = await readChainId(probe)
  const preset = loadPreset(chainId, override)
  const rpc = createRpc({ ...parts, chainId })
  return { source: createSource({ rpc, preset, clock }), reader: createChainReader(rpc, preset), preset }
}
