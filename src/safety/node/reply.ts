// What a node said to the calls of one check. Types only.
import type { Address } from '../../base/address.ts'
import type { RpcCall } from '../report.ts'

/** The result of one call. `failed`: the node did not answer it, so it says nothing about the contract. */
export type Reply<T = unknown> =
  | { kind: 'result'; result: T; call: RpcCall }
  | { kind: 'refused'; text: string; call: RpcCall }
  | { kind: 'failed'; isUnsupported: boolean; text: string; call: RpcCall }

/** One reply per call, in order. */
export type AskNode = (calls: readonly RpcCall[]) => Promise<Reply[]>

export interface BlockFacts {
  number: number
  tag: `0x${string}`
  /** Seconds since 1970. */
  time: number
  /** Wei. */
  baseFee: bigint
  /** The receiver of the block's fees. */
  proposer: Address
}
