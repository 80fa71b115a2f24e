// Finds a token's code. Input: its address. Output: the running code, whether an account can replace it, and the owner
// that the contract names. Slots: ERC-1967, ERC-1822, and those of older OpenZeppelin proxies.
import { type Address, parseAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readAddressWord, readList, readUint } from '../../chain/contracts/abi.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { keccakOfHex } from '../../chain/keccak.ts'
import type { Asker } from '../node/asker.ts'
import { READ_GAS } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { CodeFacts, ProxyKind, RpcCall } from '../report.ts'
import { readClone } from './clones.ts'
import { readFunctions } from './functions.ts'

/** Where proxies keep the addresses of their code and of who may replace it. */
export const PROXY_SLOTS = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  proxiable: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zeppelin: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  zeppelinAdmin: '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
} as const

const OWNER = selectorOf('owner()')
const GET_OWNER = selectorOf('getOwner()')
const IMPLEMENTATION = selectorOf('implementation()')
/** Of a diamond: the contract of the function. (EIP-2535.) */
const FACET = selectorOf('facetAddress(bytes4)')
const FACETS = selectorOf('facetAddresses()')
const MAX_FACETS = 8
export const FIRST_SLOTS = 16
const TRANSFER = selectorOf('transfer(address,uint256)')
const BALANCE = selectorOf('balanceOf(address)')

/** The calls that find a contract's code; the answers come in the order of `questionsOf`. */
export interface FollowedCode {
  facts: Omit<CodeFacts, 'selectors' | 'unread' | 'native'>
  /** The running code. */
  code: Hex
  /** The token's own code, if other code runs. */
  proxyCode: Hex | null
  /** Of a diamond: the code of its other facets. */
  facets: readonly Hex[]
  /** The contract that returns a proxy's implementation. */
  beacon: Address | null
}

const callOf = (asker: Asker, to: Address, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, gas: READ_GAS }, asker.block.tag],
})
const slotCall = (asker: Asker, of: Address, slot: string): RpcCall => ({
  method: 'eth_getStorageAt',
  params: [of, slot, asker.block.tag],
})
/** The first words of storage, where contracts keep accounts. */
export const firstSlots = (asker: Asker, of: Address): RpcCall[] =>
  Array.from({ length: FIRST_SLOTS }, (_, at) => slotCall(asker, of, `0x${at.toString(16)}`))

export const codeCall = (asker: Asker, of: Address): RpcCall => ({
  method: 'eth_getCode',
  params: [of, asker.block.tag],
})

/** The hex digits of an answer; null if the node gave none. */
export const hexOf = (reply: Reply | undefined): Hex | null =>
  reply?.kind === 'result' && isHex(reply.result) ? (reply.result.toLowerCase() as Hex) : null

/** The address in the answer; null for none. */
export function addressOf(reply: Reply | undefined): Address | null {
  const address = readAddressWord(hexOf(reply))
  return address === ZERO_ADDRESS ? null : address
}

const hashOfCode = (code: Hex): Hex => keccakOfHex(code.slice(2))

/** Null: the node does not return it. An address without code may still answer calls: the node itself runs it. */
export async function followCode(asker: Asker, token: Address): Promise<FollowedCode | null> {
  asker.prepare(firstSlots(asker, token))
  const slots = Object.values(PROXY_SLOTS).map((slot) => slotCall(asker, token, slot))
  const calls: Hex[] = [callData(OWNER), callData(GET_OWNER), `${FACET}${TRANSFER.slice(2).padEnd(64, '0')}`]
  const replies = await asker.ask([
    codeCall(asker, token),
    ...slots,
    ...calls.map((data) => callOf(asker, token, data)),
  ])
  const own = hexOf(replies[0])
  if (own === null) return null
  const [implementation, beacon, admin, proxiable, zeppelin, zeppelinAdmin, owner, getOwner, facet] = replies.slice(1)
  const slotOf = { implementation, beacon, proxiable, zeppelin, facet }
  const found = (await findImplementation(asker, own, slotOf)) ?? (await findTouched(asker, token, own))
  const code = found ? hexOf((await asker.ask([codeCall(asker, found.implementation)]))[0]) : own
  if (code === null) return null
  const ownerNow = ownerOf(owner) ?? ownerOf(getOwner)
  const facts = {
    hash: hashOfCode(own),
    proxy: found?.proxy ?? null,
    implementation: found?.implementation ?? null,
    implementationHash: hashOfCode(code),
    owner: ownerNow,
    admin: addressOf(admin) ?? addressOf(zeppelinAdmin),
    verifiedClone: found?.proxy === 'eip1167',
  }
  const facets = found?.proxy === 'diamond' ? await readFacets(asker, token, found.implementation) : []
  return { facts, code, proxyCode: found ? own : null, facets, beacon: addressOf(beacon) }
}

/** Zero is an owner who left; null: the contract names none. */
function ownerOf(reply: Reply | undefined): Address | null {
  const data = hexOf(reply)
  return data !== null && readUint(data) !== null ? readAddressWord(data) : null
}

const MAX_TOUCHED = 4

/** Of code without `transfer`: the contract with that function which a transfer of nothing touches. */
async function findTouched(asker: Asker, token: Address, own: Hex): Promise<FoundCode | null> {
  if (own === '0x' || own.startsWith('0xef') || hasTransfer(own)) return null
  const questions = [callData(TRANSFER, token, 0), callData(BALANCE, token)]
  const lists = await asker.ask(
    questions.map((data) => ({
      method: 'eth_createAccessList',
      params: [{ from: token, to: token, data, gas: READ_GAS }, asker.block.tag],
    })),
  )
  const touched = [...new Set(lists.flatMap(readTouched))].filter((each) => each !== token).slice(0, MAX_TOUCHED)
  const codes = await asker.ask(touched.map((each) => codeCall(asker, each)))
  const implementation = touched.find((_, at) => hasTransfer(hexOf(codes[at]) ?? '0x'))
  return implementation ? { proxy: 'custom', implementation } : null
}

const hasTransfer = (code: Hex): boolean => readFunctions(code).some(({ selector }) => selector === TRANSFER.slice(2))

/** The contracts that a call touches. */
export function readTouched(reply: Reply | undefined): Address[] {
  if (reply?.kind !== 'result') return []
  const { accessList } = (reply.result ?? {}) as { accessList?: { address?: unknown }[] }
  const list = Array.isArray(accessList) ? accessList : []
  return list.flatMap(({ address }) => {
    const parsed = typeof address === 'string' ? parseAddress(address.toLowerCase()) : null
    return parsed ? [parsed] : []
  })
}

/** The code of a diamond's facets except one, which is known. */
async function readFacets(asker: Asker, token: Address, known: Address): Promise<Hex[]> {
  const [reply] = await asker.ask([callOf(asker, token, callData(FACETS))])
  const facets = (readList(hexOf(reply), 0) ?? []).flatMap((value) => {
    const address = parseAddress(`0x${value.toString(16).padStart(40, '0')}`)
    return address && address !== known ? [address] : []
  })
  const codes = await asker.ask(facets.slice(0, MAX_FACETS).map((facet) => codeCall(asker, facet)))
  return codes.flatMap((code) => hexOf(code) ?? [])
}

interface Slots {
  implementation: Reply | undefined
  beacon: Reply | undefined
  proxiable: Reply | undefined
  zeppelin: Reply | undefined
  facet: Reply | undefined
}

interface FoundCode {
  proxy: ProxyKind
  implementation: Address
}

async function findImplementation(asker: Asker, own: Hex, slots: Slots): Promise<FoundCode | null> {
  const clone = readClone(own)
  if (clone) return { proxy: 'eip1167', implementation: clone.target }
  const beacon = addressOf(slots.beacon)
  const told = beacon ? addressOf((await asker.ask([callOf(asker, beacon, callData(IMPLEMENTATION))]))[0]) : null
  const ways: [ProxyKind, Address | null][] = [
    ['eip1967', addressOf(slots.implementation)],
    ['eip1967_beacon', told],
    ['eip1822', addressOf(slots.proxiable)],
    ['zeppelin', addressOf(slots.zeppelin)],
    ['diamond', addressOf(slots.facet)],
  ]
  for (const [proxy, implementation] of ways) if (implementation) return { proxy, implementation }
  return null
}
