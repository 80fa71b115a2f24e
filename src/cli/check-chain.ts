// What the configuration lacks for the chain of a tried provider. Input: the configuration, and the provider. Output: lines
// of advice: a proposed CHAIN_CONFIG where there is no preset, and the factories that only one source names.
import { StartupError } from '../base/errors.ts'
import type { Findings } from '../chain/connect/probe.ts'
import { RpcError } from '../chain/rpc/error.ts'
import type { Rpc } from '../chain/rpc/rpc.ts'
import type { Context } from './context.ts'

/** Blocks of logs to ask for where the provider told no width. */
const FEW_BLOCKS = 10

export async function adviseChain(context: Context, rpc: Rpc, found: Findings): Promise<string[]> {
  const { listDoubtful, loadPreset, PRESET_CHAIN_IDS } = await import('../chain/presets/presets.ts')
  const range = { head: found.head, width: found.logs?.blocks ?? FEW_BLOCKS }
  const { chainId } = found
  try {
    const { CHAIN_CONFIG: override } = context.config()
    if (override === undefined && !PRESET_CHAIN_IDS.includes(chainId)) return await proposeConfig(rpc, chainId, range)
    loadPreset(chainId, override)
    return await tellDoubtful(rpc, listDoubtful(chainId, override), range)
  } catch (error) {
    if (error instanceof StartupError) return [error.message.replaceAll('\n', ' ')]
    // The provider refuses a method that only the proposal needs: an index may still be built from it.
    if (error instanceof RpcError && error.kind !== 'aborted')
      return [`There is no preset for this chain: set CHAIN_CONFIG. Nothing can be proposed: ${error.message}`]
    throw error
  }
}

/** Whether logs without a topic count on the chain; false where nothing names its exchanges. */
export async function hasBareLogs(context: Context, chainId: number): Promise<boolean> {
  const { loadPreset } = await import('../chain/presets/presets.ts')
  const { bareEmitters } = await import('../chain/logs/events.ts')
  try {
    return bareEmitters(loadPreset(chainId, context.config().CHAIN_CONFIG)).length > 0
  } catch (error) {
    if (error instanceof StartupError) return false
    throw error
  }
}

async function proposeConfig(rpc: Rpc, chainId: number, range: { head: number; width: number }): Promise<string[]> {
  const { propose } = await import('../chain/connect/propose.ts')
  const { config, remarks } = await propose(rpc, { chainId, ...range })
  return [
    'There is no preset for this chain: set CHAIN_CONFIG. Review every line of this proposal from its newest blocks:\n' +
      JSON.stringify(config, null, 2),
    ...remarks,
  ]
}

async function tellDoubtful(
  rpc: Rpc,
  factories: readonly { address: string; kind: string; launchpad: string; positions?: string | undefined }[],
  range: { head: number; width: number },
): Promise<string[]> {
  const { wasSeen } = await import('../chain/connect/propose.ts')
  const lines: string[] = []
  for (const { address, kind, launchpad, positions } of factories) {
    const seen = await wasSeen(rpc, address as Parameters<typeof wasSeen>[1], range)
    const entry = JSON.stringify({ factories: [{ address, kind, launchpad, ...(positions && { positions }) }] })
    lines.push(
      seen
        ? `One source names ${launchpad}, which is off. It has code and logged of late: CHAIN_CONFIG may have ${entry}`
        : `One source names ${launchpad} at ${address}, which is off. ${seen === null ? 'The provider did not tell whether it logs.' : 'No log of it was seen.'}`,
    )
  }
  return lines
}
