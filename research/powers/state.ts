// The state of a token that only exists as code on a local EVM. Input: calls that should answer or pass. Output: slots set so that they do.
// Each step sets the one slot that brings the call furthest, as its trace shows.
import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi } from 'viem'
import { type Address, toAddress } from '../../src/base/address.ts'
import { readFunctions } from '../../src/safety/code/functions.ts'
import type { World } from '../zoo/world.ts'

type Hex = `0x${string}`
export const ERC20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function transfer(address,uint256)',
  'function deposit() payable',
])
export const GAS = '0x5b8d80'
/** Who may call shows early, and loops with made-up lengths take all gas. */
const OWN_GAS = '0x30d40'
const MAX_STEPS = 8
const MAX_CHANGES = 24
/** Longer calls are left alone: each of their traces takes seconds. */
const MAX_TRACE = 20_000
/** Slots below are of plain variables, others of mappings. */
const PLAIN_SLOTS = 2n ** 32n
/** Mappings that a function may ask for its caller. */
const CALLER_MAPPINGS = 40
const ADDRESS_MASK = 2n ** 160n - 1n
const LARGE = 2n ** 128n - 1n

const word = (value: bigint): Hex => `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`
const questionOf = (name: 'balanceOf' | 'totalSupply' | 'owner', ...args: [] | [Address]): Hex =>
  encodeFunctionData({ abi: ERC20, functionName: name, args: args as never })

interface Trace {
  failed: boolean
  returnValue?: string
  structLogs: { op: string; stack?: string[] }[]
}

interface Run {
  passes: boolean
  /** Steps until it ended. */
  reach: number
  /** Slots, the last read first; those of plain variables before those of mappings. */
  slots: Hex[]
  /** What addresses were compared with. */
  compared: ReadonlySet<bigint>
}

interface Change {
  slot: Hex
  before: bigint
  value: bigint
}

export type TokenState = ReturnType<typeof createTokenState>

export function createTokenState({ anvil }: World, token: Address) {
  const traceOf = (call: object, disableStack = false) =>
    anvil
      .rpc<Trace>('debug_traceCall', [
        call,
        'latest',
        { disableMemory: true, disableStorage: true, disableStack, enableReturnData: false },
      ])
      .catch((): Trace => ({ failed: true, structLogs: [] }))
  const read = async (data: Hex): Promise<bigint | null> => {
    const answer = await anvil.rpc<Hex>('eth_call', [{ to: token, data, gas: GAS }, 'latest']).catch(() => '0x')
    return answer.length >= 66 ? BigInt(answer.slice(0, 66)) : null
  }
  const set = (slot: Hex, value: bigint) => anvil.rpc('anvil_setStorageAt', [token, slot, word(value)])
  const at = async (slot: Hex) => BigInt(await anvil.rpc<Hex>('eth_getStorageAt', [token, slot, 'latest']))
  const passes = async (call: object): Promise<boolean> => {
    const answer = await anvil.rpc<Hex>('eth_call', [call, 'latest']).catch(() => null)
    return answer !== null && !/^0x0{64}$/.test(answer)
  }
  const reachOf = async (call: object) => (await traceOf(call, true)).structLogs.length
  const runOf = async (call: object): Promise<Run> => {
    const isDone = await passes(call)
    const steps = await reachOf(call)
    if (steps > MAX_TRACE) return { passes: isDone, reach: steps, slots: [], compared: new Set() }
    const { structLogs } = await traceOf(call)
    const slots = structLogs.flatMap(({ op, stack = [] }) =>
      op === 'SLOAD' ? [word(BigInt(stack.at(-1) ?? '0x0'))] : [],
    )
    const compared = structLogs.flatMap(({ op, stack = [] }) =>
      op === 'EQ' || op === 'SUB' || op === 'XOR' ? [BigInt(stack.at(-1) ?? '0x0'), BigInt(stack.at(-2) ?? '0x0')] : [],
    )
    return {
      passes: isDone,
      reach: structLogs.length,
      slots: [...new Set(slots.toReversed())].toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b))),
      compared: new Set(compared),
    }
  }
  /** Sets a slot that the read depends on, so that it answers. */
  const setRead = async (data: Hex, value: bigint): Promise<boolean> => {
    const { slots } = await runOf({ to: token, data, gas: GAS })
    for (const slot of slots.toSorted((a, b) => Number(isEntry(b)) - Number(isEntry(a)))) {
      const before = await at(slot)
      await set(slot, value)
      const answer = await read(data)
      if (answer !== null && answer > 0n) return true
      await set(slot, before)
    }
    return false
  }
  /** Sets slots until the call passes. `pair` may stand where the code has another pair. */
  const satisfy = async (call: object, pair: Address): Promise<boolean> => {
    for (let step = 0; step < MAX_STEPS; step++) {
      const run = await runOf(call)
      if (run.passes) return true
      const best = await bestOf(call, run, pair)
      if (!best) return false
      await set(best.slot, best.value)
    }
    return passes(call)
  }

  /** The first change with which the call passes, else the one that brings it furthest; null: none does. */
  async function bestOf(call: object, run: Run, pair: Address): Promise<Change | null> {
    let best: { change: Change; reach: number } | null = null
    const befores = await Promise.all(run.slots.map(at))
    const changes = run.slots.flatMap((slot, index) => changesOf(slot, befores[index] ?? 0n, run.compared, pair))
    for (const change of changes.slice(0, MAX_CHANGES)) {
      await set(change.slot, change.value)
      const isDone = await passes(call)
      const reach = isDone ? 0 : await reachOf(call)
      await set(change.slot, change.before)
      if (isDone) return change
      if (reach > (best?.reach ?? run.reach)) best = { change, reach }
    }
    return best?.change ?? null
  }

  /** The slots that were read right before a comparison of zero with the account. */
  const emptyFor = async (call: object, account: bigint): Promise<Hex[]> => {
    const { structLogs } = await traceOf(call)
    let last: Hex | null = null
    const found = new Set<Hex>()
    for (const { op, stack = [] } of structLogs) {
      if (op === 'SLOAD') last = word(BigInt(stack.at(-1) ?? '0x0'))
      if (op !== 'EQ' && op !== 'SUB' && op !== 'XOR') continue
      const pair = [BigInt(stack.at(-1) ?? '0x0'), BigInt(stack.at(-2) ?? '0x0')]
      if (pair.includes(account) && pair.includes(0n) && last && !isEntry(last)) found.add(last)
    }
    return [...found]
  }

  /** Sets who a function asks for to the deployer: an address that is compared, or an entry of a mapping. */
  async function openTo(deployer: Address, call: object): Promise<void> {
    const entries = entriesOf(deployer)
    const me = BigInt(deployer)
    const reach = await reachOf(call)
    if (reach > MAX_TRACE || (await passes(call))) return
    const { slots } = await runOf(call)
    const owners = await Promise.all((await emptyFor(call, me)).map(async (slot) => placesIn(slot, await at(slot), me)))
    const admitted = slots.filter((slot) => entries.has(slot)).map((slot): Change => ({ slot, before: 0n, value: 1n }))
    const changes = [...owners.flat(), ...admitted]
    for (const { slot, before, value } of changes) {
      await set(slot, value)
      if ((await reachOf(call)) > reach || (await passes(call))) return
      await set(slot, before)
    }
  }

  /** The deployer is the answer of `owner()`, where that has none. */
  async function setOwner(deployer: Address): Promise<void> {
    const data = questionOf('owner')
    if ((await read(data)) !== 0n) return
    const { slots } = await runOf({ to: token, data, gas: GAS })
    for (const slot of slots)
      for (const { before, value } of placesIn(slot, await at(slot), BigInt(deployer))) {
        await set(slot, value)
        if ((await read(data)) === BigInt(deployer)) return
        await set(slot, before)
      }
  }

  return {
    passes,
    satisfy,
    owner: async (): Promise<Address | null> => {
      const owner = await read(questionOf('owner'))
      return owner ? addressIn(owner) : null
    },
    supply: async () => (await read(questionOf('totalSupply'))) ?? 0n,
    setSupply: (value: bigint) => setRead(questionOf('totalSupply'), value),
    balance: async (of: Address) => (await read(questionOf('balanceOf', of))) ?? 0n,
    setBalance: (of: Address, value: bigint) => setRead(questionOf('balanceOf', of), value),
    /** Makes the account the owner, and admits it to functions that ask for their caller. */
    own: async (deployer: Address) => {
      await setOwner(deployer)
      const code = await anvil.rpc<Hex>('eth_getCode', [token, 'latest'])
      for (const { selector, types } of readFunctions(code).filter(({ isWriting }) => isWriting)) {
        const data = `0x${selector}${'0'.repeat(63)}1`.padEnd(10 + 64 * Math.max(1, types.length), '0')
        await openTo(deployer, { from: deployer, to: token, data, gas: OWN_GAS })
      }
    },
  }
}

const addressIn = (value: bigint): Address => toAddress(`0x${word(value).slice(26)}`)
const isEntry = (slot: Hex): boolean => BigInt(slot) >= PLAIN_SLOTS

/** Where mappings of the first slots keep the account. */
function entriesOf(account: Address): ReadonlySet<Hex> {
  return new Set(
    Array.from({ length: CALLER_MAPPINGS }, (_, at) =>
      keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BigInt(at)])),
    ),
  )
}

/** An address in the free bytes of a slot, where flags may stand below it. */
const placesIn = (slot: Hex, before: bigint, address: bigint): Change[] =>
  [0n, 8n, 16n].flatMap((shift) =>
    ((before >> shift) & ADDRESS_MASK) === 0n ? [{ slot, before, value: before | (address << shift) }] : [],
  )

/** The values that a slot may have instead: another pair, a flag turned, a number without a limit. */
function changesOf(slot: Hex, before: bigint, compared: ReadonlySet<bigint>, pair: Address): Change[] {
  const change = (value: bigint): Change => ({ slot, before, value })
  const turned = (bit: bigint) => before ^ (1n << bit)
  if (isEntry(slot)) return before <= 1n ? [change(1n - before)] : []
  if (before < 2n ** 24n) {
    const flags = [0n, 8n, 16n].filter((bit) => before >> bit > 0n || bit === 0n).map(turned)
    return [...new Set([...flags, 0n, LARGE])].filter((value) => value !== before).map(change)
  }
  const pairs = [0n, 8n, 16n, 24n].flatMap((shift) => {
    const address = (before >> shift) & ADDRESS_MASK
    const isPair = address > 2n ** 120n && compared.has(address) && compared.has(BigInt(pair))
    return isPair ? [before ^ ((address ^ BigInt(pair)) << shift)] : []
  })
  const isAddress = before > 2n ** 120n
  return [...pairs, ...(isAddress ? [160n, 168n, 176n, 184n, 0n, 8n].map(turned) : [0n, LARGE])].map(change)
}
