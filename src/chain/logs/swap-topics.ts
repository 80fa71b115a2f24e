// The swaps of all exchanges that are known by their logs, by topic0: those that Assay reads, and others. Held against the
// events of the index they tell which share of a chain's trades it saw. Signatures are from the exchanges' published
// sources. Exchanges whose swaps have no topic (Ekubo) cannot be counted.
import type { LogKind } from '../event.ts'
import { keccakOfText } from '../keccak.ts'
import { EVENT_LIST, type Event } from './events.ts'

/** The known facts of a topic0. */
export interface SwapTopic {
  /** The exchanges that log it, in a word: forks share their signature. */
  exchange: string
  isRead: boolean
}

/** Swaps that are not read. */
export const UNREAD_SWAPS: readonly (readonly [signature: string, exchange: string])[] = [
  ['SellBaseToken(address,address,uint256,uint256)', 'dodo_v1'],
  ['BuyBaseToken(address,address,uint256,uint256)', 'dodo_v1'],
  ['Swap(address,uint256,uint256,uint256,uint256,address,uint256)', 'kyberswap_classic'],
  ['Swap(address,address,bool,bool,uint256,uint256,int32)', 'maverick_v1'],
  ['Swap(address,address,uint24,bool,uint256,uint256)', 'izumi'],
  ['Conversion(address,address,address,uint256,uint256,int256)', 'bancor_v2'],
  ['Trade(address,bytes32,address,address,uint256,uint256)', 'hashflow_v1'],
  ['Trade(address,address,bytes32,address,address,uint256,uint256)', 'hashflow_v2'],
  ['Trade(address,address,address,bytes32,address,address,uint256,uint256)', 'hashflow_v3'],
  ['TokenSwapUnderlying(address,uint256,uint256,uint128,uint128)', 'saddle_meta'],
  ['BebopOrder(uint128)', 'bebop'],
]

/**
 * The exchange of an event that is read. The name is its emitter, for a market maker the beginning of the event's name,
 * and for forks of one signature the family.
 */
function nameOf({ name, emitter, shapes: [shape] }: Event): string {
  if (emitter === 'any') return `uniswap_${shape?.kind.slice(0, 2)}_like`
  return emitter === 'maker'
    ? name.replace(/_(swap|trade|rfq|otc|limit|sell|buy).*$/, '')
    : emitter.replace(/_pool$/, '')
}

/** Whether logs of the kind are swaps. */
export const isSwapKind = (kind: LogKind): boolean => kind.endsWith('_swap')

const isSwap = ({ shapes }: Event): boolean => shapes.some(({ kind }) => isSwapKind(kind))

/** By topic0. */
export const SWAP_TOPICS: ReadonlyMap<string, SwapTopic> = new Map([
  ...UNREAD_SWAPS.map(([signature, exchange]): [string, SwapTopic] => [
    keccakOfText(signature),
    { exchange, isRead: false },
  ]),
  ...EVENT_LIST.filter(isSwap).map((event): [string, SwapTopic] => [
    event.topic0,
    { exchange: nameOf(event), isRead: true },
  ]),
])
