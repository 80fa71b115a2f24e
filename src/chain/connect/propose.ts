// Proposes a CHAIN_CONFIG for a chain without a preset. Input: a provider, and the measurements of `check`. Output: the
// configuration, and remarks about doubts and gaps. An operator reviews both; nothing is set by itself.
import type { Address } from '../../base/address.ts'
import { toPrintable } from '../../base/printable.ts'
import { readText, readUint, SELECTORS } from '../contracts/abi.ts'
import { createEthCall, type EthCall } from '../contracts/call.ts'
import { callData } from '../contracts/words.ts'
import type { Venue } from '../exchanges/venues.ts'
import { TOPICS } from '../logs/events.ts'
import { listStablecoins } from '../presets/presets.ts'
import { hexQuantity } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { type FoundExchanges, findExchanges } from './find-factories.ts'
import { rank, readRecentLogs } from './recent-logs.ts'

export interface Proposal {
  config: {
    chainId: number
    name: string
    /** Undefined: none was found, so the operator must say. */
    wrappedNative?: Address
    nativeSymbol?: string
    stablecoins: Address[]
    factories: { address: Address; kind: Venue; launchpad: string }[]
  }
  remarks: string[]
}

interface Measured {
  chainId: number
  head: number
  /** Blocks of logs that the provider gives at once. */
  width: number
}

/** Requests for Deposits, and the most contracts that are asked whether they wrap the coin. */
const DEPOSIT_REQUESTS = 8
const MOST_WRAPPERS = 10
/** A token is named as a possible quote if it stands in so many of the pools that were read. */
const [QUOTED_POOLS, MOST_QUOTES] = [3, 3]
const CHARS_OF_SYMBOL = 20
/** Contracts that only look like a factory: anybody can make many. */
const MOST_DENIED = 3

export async function propose(rpc: Rpc, { chainId, ...range }: Measured): Promise<Proposal> {
  const ethCall = createEthCall(rpc)
  const wrapped = await findWrapped(rpc, ethCall, range)
  const stablecoins = await findDollars(ethCall, range.head)
  const found = await findExchanges(rpc, ethCall, range)
  const symbol = wrapped && /^W([A-Za-z0-9]{1,12})$/.exec(wrapped.symbol)?.[1]
  return {
    config: {
      chainId,
      name: `chain ${chainId}`,
      ...(wrapped && { wrappedNative: wrapped.address }),
      ...(symbol && { nativeSymbol: symbol }),
      stablecoins,
      factories: [...found.factories, ...found.managers].map(({ address, kind }) => ({
        ...{ address, kind },
        launchpad: `${kind}_${address.slice(2, 8)}`,
      })),
    },
    remarks: [
      ...(wrapped ? [] : ['No wrapped coin was found: add "wrappedNative", which is null where the chain has none.']),
      ...(stablecoins.length > 0 ? [] : ['No dollar was found: without one in "stablecoins" nothing has a price.']),
      ...tellExchanges(found),
      ...(await tellQuotes(ethCall, found, [...stablecoins, ...(wrapped ? [wrapped.address] : [])], range.head)),
    ],
  }
}

function tellExchanges({ factories, denied, managers, blocks }: FoundExchanges): string[] {
  return [
    ...(factories.length + managers.length > 0
      ? []
      : [`No factory was found in the newest ${blocks} blocks: name them.`]),
    ...factories.map(({ address, kind, pools }) => `${address} confirmed ${pools} pools as ${kind}. Give it a name.`),
    ...denied.slice(0, MOST_DENIED).map((address) => `${address} confirmed no pool, so it is left out.`),
    ...managers.map(
      ({ address, kind, logs }) =>
        `${address} is ${kind} by ${logs} logs of its own alone: compare it with the exchange's page.`,
    ),
  ]
}

/**
 * The contract that wraps the native coin: what it owes is not more than the coins that it holds. The one that holds
 * most is meant, because anybody can deploy a copy.
 */
async function findWrapped(rpc: Rpc, ethCall: EthCall, range: { head: number; width: number }) {
  const { logs } = await readRecentLogs(
    rpc,
    [TOPICS.deposit],
    { ...range, requests: DEPOSIT_REQUESTS },
    (came) => came.length > 0,
  )
  const candidates = rank(logs.filter(({ topics }) => topics.length === 2).map(({ address }) => address))
    .slice(0, MOST_WRAPPERS)
    .map(([address]) => address)
  const tag = hexQuantity(range.head)
  const balances = await rpc.batch(candidates.map((address) => ({ method: 'eth_getBalance', params: [address, tag] })))
  const told = await ethCall(
    candidates.flatMap((to) =>
      [SELECTORS.totalSupply, SELECTORS.decimals, SELECTORS.symbol].map((selector) => ({
        to,
        data: callData(selector),
      })),
    ),
    range.head,
  )
  const wrappers = candidates.flatMap((address, i) => {
    const [supply, decimals] = told.slice(3 * i, 3 * i + 2).map((answer) => readUint(answer))
    const balance = balances[i]
    const held = balance && isAnswered(balance) ? readWei(balance.result) : null
    const wraps = decimals === 18n && held !== null && supply && supply <= held
    return wraps ? [{ address, held, symbol: readText(told[3 * i + 2]) }] : []
  })
  return wrappers.sort((a, b) => (a.held < b.held ? 1 : -1))[0]
}

const readWei = (value: unknown): bigint | null =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null

/** Dollars of other chains that have the same address here. Their symbols decide, as an address may be another contract. */
async function findDollars(ethCall: EthCall, head: number): Promise<Address[]> {
  const known = listStablecoins()
  const answers = await ethCall(
    known.flatMap((to) => [SELECTORS.symbol, SELECTORS.decimals].map((selector) => ({ to, data: callData(selector) }))),
    head,
  )
  return known.filter((_, i) => /usd|dai/i.test(readText(answers[2 * i])) && readUint(answers[2 * i + 1]) !== null)
}

/** Tokens that many pools have on one side: dollars that nobody knows yet, or hubs. Their symbols are strangers' text. */
async function tellQuotes(ethCall: EthCall, { pairs }: FoundExchanges, known: readonly Address[], head: number) {
  const often = rank(pairs.flat().filter((token) => !known.includes(token)))
    .filter(([, pools]) => pools >= QUOTED_POOLS)
    .slice(0, MOST_QUOTES)
  const symbols = await ethCall(
    often.map(([to]) => ({ to, data: callData(SELECTORS.symbol) })),
    head,
  )
  return often.map(([token, pools], i) => {
    const symbol = toPrintable(readText(symbols[i])).slice(0, CHARS_OF_SYMBOL)
    return `${token} (it calls itself "${symbol}") stands in ${pools} of ${pairs.length} pools: if it is a dollar, add it to "stablecoins", else to "hubs".`
  })
}

/** Whether a factory that one source names has code and logged something of late; null: the provider does not tell. */
export async function wasSeen(
  rpc: Rpc,
  address: Address,
  range: { head: number; width: number },
): Promise<boolean | null> {
  const [code] = await rpc.batch([{ method: 'eth_getCode', params: [address, 'latest'] }])
  if (!code || !isAnswered(code) || typeof code.result !== 'string') return null
  if (code.result.length <= 2) return false
  const { logs, blocks } = await readRecentLogs(
    rpc,
    undefined,
    { ...range, address, requests: DEPOSIT_REQUESTS },
    (came) => came.length > 0,
  )
  return logs.length > 0 ? true : blocks === 0 ? null : false
}
