// The capabilities of a node beyond plain calls. Input: an rpc. Output: the trials that it supports, each probed once
// with code whose answer is known: a node that ignores an override answers differently.
import type { Address } from '../../base/address.ts'
import { abiWord } from '../../chain/contracts/words.ts'
import { isAnswered } from '../../chain/rpc/endpoint.ts'
import { RETRYABLE, type RpcErrorKind } from '../../chain/rpc/error.ts'
import type { Rpc } from '../../chain/rpc/rpc.ts'
import { SELL_METHODS, type SellMethod } from '../report.ts'
import { probeShare, type ShareWay } from './shared.ts'

export interface Capabilities {
  /** `eth_simulateV1`: several blocks with calls of any account. */
  simulate: boolean
  /** `eth_simulateV1` with many questions, by the code of Shared.sol. */
  share: boolean
  /** `eth_call` with code laid over an address. */
  override: boolean
  /** `eth_call` without `to`: the code of a constructor runs. */
  construct: boolean
  /** `eth_call` at a later time and block number. */
  later: boolean
  /** It runs calls at all: an address without code accepts any call. A recording refuses unknown calls. */
  execute: boolean
}

const PROBE = '0x5afe000000000000000000000000000000000001' as Address
/** `transfer(PROBE, 1)`. */
const SENDS_ONE = `0xa9059cbb${PROBE.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
/** PUSH32 0x..2a, MSTORE, RETURN: returns 42. */
const SAYS_42 = `0x60${'2a'}60005260206000f3` as const
/** TIMESTAMP, MSTORE, RETURN: returns the time of the block. */
const SAYS_TIME = '0x4260005260206000f3'
const FAR_TIME = '0xf0000000'
/** NUMBER, MSTORE, RETURN: returns the number of the block. */
const SAYS_NUMBER = '0x4360005260206000f3'
const GAS = '0x186a0'

/** The known capabilities of a node; null: it did not answer the probe. */
export type ProbedCapabilities = { [K in keyof Capabilities]: boolean | null }

export async function readCapabilities(rpc: Rpc): Promise<ProbedCapabilities> {
  const probe = { to: PROBE, gas: GAS }
  const block = { calls: [probe] }
  const share = probeShare(SAYS_42, `0x${abiWord(42)}`)
  const answers = await rpc.batch(
    [
      { method: 'eth_call', params: [probe, 'latest', { [PROBE]: { code: SAYS_42 } }] },
      { method: 'eth_call', params: [{ data: SAYS_42, gas: GAS }, 'latest'] },
      {
        method: 'eth_simulateV1',
        params: [
          { blockStateCalls: [{ ...block, stateOverrides: { [PROBE]: { code: SAYS_NUMBER } } }, block] },
          'latest',
        ],
      },
      { method: 'eth_call', params: [{ ...probe, data: SENDS_ONE }, 'latest'] },
      { method: 'eth_call', params: [probe, 'latest', { [PROBE]: { code: SAYS_TIME } }, { time: FAR_TIME }] },
      share.call,
    ],
    2,
  )
  const told = (at: number, isRight: (result: unknown) => boolean): boolean | null => {
    const answer = answers[at]
    if (!answer || (answer.error && UNANSWERED.has(answer.error.kind))) return null
    return isAnswered(answer) && isRight(answer.result)
  }
  return {
    override: told(0, says42),
    construct: told(1, says42),
    simulate: told(2, countsBlocks),
    execute: told(3, isEmpty),
    later: told(4, saysFarTime),
    share: told(5, share.isRight),
  }
}

const UNANSWERED: ReadonlySet<RpcErrorKind> = new Set([...RETRYABLE, 'auth', 'aborted'])

/** "contract checks: eth_simulateV1 yes, state overrides yes, a later time yes, eth_call without to yes". */
export function describeCapabilities({ simulate, override, later, construct }: ProbedCapabilities): string {
  const word = (can: boolean | null) => (can === null ? 'unknown' : can ? 'yes' : 'no')
  return `contract checks: eth_simulateV1 ${word(simulate)}, state overrides ${word(override)}, a later time ${word(later)}, eth_call without to ${word(construct)}`
}

/** How the node takes many questions in one request. */
export const shareWayOf = ({ share, override }: Capabilities): ShareWay =>
  share ? 'blocks' : override ? 'call' : 'none'

/** The methods that they support, best first. A node that runs no calls supports none. */
export function methodsOf({ simulate, override, construct, execute }: ProbedCapabilities): SellMethod[] {
  const allowed: Record<SellMethod, boolean | null> = {
    simulation: simulate,
    override,
    constructor: construct,
    transfer: true,
  }
  return execute ? SELL_METHODS.filter((method) => allowed[method]) : []
}

const isEmpty = (result: unknown): boolean => result === '0x'

const saysFarTime = (result: unknown): boolean => typeof result === 'string' && /^0x0*f0000000$/.test(result)

const says42 = (result: unknown): boolean => typeof result === 'string' && /^0x0*2a$/.test(result)

function countsBlocks(result: unknown): boolean {
  const [first, second] = (Array.isArray(result) ? result : []).map((block) => Number(block?.calls?.[0]?.returnData))
  return first !== undefined && second !== undefined && second === first + 1
}
