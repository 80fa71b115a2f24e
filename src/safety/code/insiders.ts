// Insiders of a token, and the contracts that it calls. Input: the target, its code and its first slots. Output:
// callers for the trials, and contracts whose functions count as well.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readAddressWord, readUint } from '../../chain/contracts/abi.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import type { Asker } from '../node/asker.ts'
import { ACT_GAS, READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import { keeperOf } from '../sale/market.ts'
import type { SampledHolder } from '../sale/sample.ts'
import type { SafetyTarget } from '../target.ts'
import { readClone } from './clones.ts'
import { readCreation } from './creation.ts'
import { isLikelyAddress, readConstants, readWords } from './functions.ts'
import { readGrants } from './grants.ts'
import { addressOf, codeCall, FIRST_SLOTS, type FollowedCode, firstSlots, readTouched } from './proxy.ts'

export interface Insider {
  address: Address
  /**
   * `owner`: the contract names it; `admin`: it may replace a proxy's implementation; `code`: it is in code or a slot, or it minted;
   * `role`: a log grants it a role; `creation`: its creation names it in another way.
   */
  as: 'owner' | 'admin' | 'deployer' | 'insider' | 'code' | 'role' | 'creation'
  isContract: boolean
}

export interface Said {
  callers: readonly Insider[]
  /** Contracts that the token calls, with their code. */
  asked: readonly { address: Address; code: Hex }[]
  /** Addresses that never had code nor sent anything, and that the token may call. */
  empties: readonly Address[]
}

const MAX_CANDIDATES = 18
const MAX_CALLERS = 8
const MAX_ASKED = 2
const MAX_EMPTIES = 3
const ADDRESS_BITS = 160n
const OWNER = selectorOf('owner()')
const TRANSFER = selectorOf('transfer(address,uint256)')

/** An address is alone in a slot, below flags, or above a flag or two. */
function addressesIn(reply: Reply): Address[] {
  if (reply.kind !== 'result' || !isHex(reply.result)) return []
  const value = readUint(reply.result)
  if (value === null) return []
  const places = value >> ADDRESS_BITS === 0n ? [value] : [value, value >> 8n, value >> 16n]
  return places.flatMap((place) => {
    const account = BigInt.asUintN(Number(ADDRESS_BITS), place)
    const address = readAddressWord(`0x${account.toString(16).padStart(64, '0')}`)
    return address && account >> 120n > 0n ? [address] : []
  })
}

export async function findInsiders(
  asker: Asker,
  target: SafetyTarget,
  { facts, code, proxyCode, beacon }: FollowedCode,
  holder: SampledHolder | undefined,
): Promise<Said> {
  const { token, deployer, createdBlock, insiders, wrappedNative, pools } = target
  const keeper = pools[0] ? keeperOf(pools[0]) : null
  const access = holder && keeper ? [accessCall(asker, token, holder, keeper)] : []
  const [replies, creation, grants] = await Promise.all([
    asker.ask([...firstSlots(asker, token), ...access]),
    readCreation(asker, token, createdBlock),
    readGrants(asker, target),
  ])
  const touched = access.length > 0 ? readTouched(replies.at(-1)) : []
  const known: [Address | null, Insider['as']][] = [
    [facts.owner, 'owner'],
    [facts.admin, 'admin'],
    [deployer, 'deployer'],
    ...[...creation.roles, ...grants.roles].map((each): [Address, Insider['as']] => [each, 'role']),
    ...grants.minters.map((each): [Address, Insider['as']] => [each, 'code']),
    ...insiders.slice(0, 3).map((each): [Address, Insider['as']] => [each, 'insider']),
    ...replies
      .slice(0, FIRST_SLOTS)
      .flatMap(addressesIn)
      .map((each): [Address, Insider['as']] => [each, 'code']),
    ...[...readConstants(code), ...(proxyCode ? accountsIn(proxyCode) : [])].map((each): [Address, Insider['as']] => [
      each,
      'code',
    ]),
    ...[...(beacon ? [beacon] : []), ...touched].map((each): [Address, Insider['as']] => [each, 'code']),
    ...creation.others.map((each): [Address, Insider['as']] => [each, 'creation']),
  ]
  const nobody = new Set<Address | null>([
    ZERO_ADDRESS,
    token,
    wrappedNative,
    facts.implementation,
    ...pools.flatMap(({ address, factory, token0, token1 }) => [address, factory, token0, token1]),
  ])
  const found = new Map<Address, Insider['as']>()
  for (const [address, as] of known) if (address && !nobody.has(address) && !found.has(address)) found.set(address, as)
  return sort(asker, [...found].slice(0, MAX_CANDIDATES), new Set(touched))
}

/** Accounts in the code of a proxy, and among the arguments of a clone. */
const accountsIn = (code: Hex): Address[] => [
  ...readConstants(code),
  ...readWords(readClone(code)?.rest ?? Buffer.of()),
]

const accessCall = (asker: Asker, token: Address, { address, amount }: SampledHolder, keeper: Address) => ({
  method: 'eth_createAccessList',
  params: [{ from: address, to: token, data: callData(TRANSFER, keeper, amount), gas: ACT_GAS }, asker.block.tag],
})

/**
 * A contract that is neither owner nor admin is bound by its code: its own functions are tried instead of it as a
 * caller.
 */
async function sort(
  asker: Asker,
  found: readonly [Address, Insider['as']][],
  touched: ReadonlySet<Address>,
): Promise<Said> {
  const codes = await asker.ask(found.map(([address]) => codeCall(asker, address)))
  const callers: Insider[] = []
  const asked: { address: Address; code: Hex }[] = []
  found.forEach(([address, as], at) => {
    const reply = codes[at]
    const code = reply?.kind === 'result' && isHex(reply.result) ? reply.result : '0x'
    const isContract = code !== '0x'
    if (!isContract || as === 'owner' || as === 'admin') callers.push({ address, as, isContract })
    else if (asked.length < MAX_ASKED && as !== 'creation') asked.push({ address, code })
  })
  const others = await findTurners(asker, asked)
  const known = new Set(callers.map(({ address }) => address))
  const bare = callers.filter(({ as, address }) => as === 'code' && (touched.size === 0 || touched.has(address)))
  return {
    callers: [...callers, ...others.filter(({ address }) => !known.has(address))].slice(0, MAX_CALLERS),
    asked,
    empties: await findUnused(
      asker,
      bare.slice(0, MAX_EMPTIES).map(({ address }) => address),
    ),
  }
}

/**
 * An account that has sent something belongs to a key, so no contract comes to its address. The chain itself answers at
 * an address of few digits.
 */
async function findUnused(asker: Asker, all: readonly Address[]): Promise<Address[]> {
  const addresses = all.filter((address) => isLikelyAddress(Buffer.from(address.slice(2), 'hex')))
  const replies = await asker.ask(
    addresses.map((address) => ({ method: 'eth_getTransactionCount', params: [address, asker.block.tag] })),
  )
  return addresses.filter((_, at) => {
    const reply = replies[at]
    return reply?.kind === 'result' && isHex(reply.result) && BigInt(reply.result) === 0n
  })
}

/** The accounts that control the contracts that the token calls: their owner, and accounts in their code. */
async function findTurners(asker: Asker, asked: Said['asked']): Promise<Insider[]> {
  const owners = await asker.ask(
    asked.map(({ address }) => ({
      method: 'eth_call',
      params: [{ to: address, data: callData(OWNER), gas: READ_GAS }, asker.block.tag],
    })),
  )
  const found = [...owners.map(addressOf), ...asked.flatMap(({ code }) => readConstants(code).slice(0, 2))]
  return found.flatMap((address) => (address ? [{ address, as: 'code' as const, isContract: false }] : []))
}
