// Runs a token that only exists as code on a local EVM: balances, an owner, a pair and holders that can send. Input:
// code. Output: the ledger's facts about it. Runtime code has no state, so the slots that a call reads are found and
// set; deployed code has its own.
import { type Abi, type AbiParameter, encodeFunctionData, keccak256, parseAbi } from 'viem'
import type { Address } from '../../src/base/address.ts'
import type { SafetyTarget } from '../../src/safety/target.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { accountOf, ether, FOUNDER, type World } from '../zoo/world.ts'
import type { CompiledToken } from './compilers.ts'

type Hex = `0x${string}`
const ERC20 = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function owner() view returns (address)',
  'function transfer(address,uint256)',
  'function deposit() payable',
])
const WHOLE = 10n ** 24n
const HOLDERS = 10
const MAX_FLIPS = 8
const GAS = '0x5b8d80'
const word = (value: bigint): Hex => `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`
const callOf = (name: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: ERC20 as Abi, functionName: name, args })

export interface Embodied {
  target: SafetyTarget
  /** Whether all holders can send to the pair, as those of a token that is traded. */
  isAlive: boolean
}

interface Trace {
  failed: boolean
  structLogs: { op: string; stack?: string[] }[]
}

/** The routers that sources name, on the chains that the exam's tokens are from. */
export const ROUTERS = [
  '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
  '0x10ed43c718714eb63d5aa57b78b54704e256024e',
  '0xd99d1c33f9fc3444f8101754abc46c52416550d1',
] as const

export interface Body {
  /** Runtime code, where nothing else is known. */
  runtime: Hex | null
  compiled: CompiledToken | null
}

export async function embody(world: World, label: string, { runtime, compiled }: Body): Promise<Embodied | null> {
  const deployer = accountOf(`deployer of ${label}`)
  const holders = Array.from({ length: HOLDERS }, (_, at) => accountOf(`holder ${at} of ${label}`))
  await world.fund(deployer, ...holders)
  const deployed = compiled ? await deploy(world, deployer, compiled) : null
  const token = deployed ?? (runtime ? await place(world, label, runtime) : null)
  if (!token) return null
  const tools = createTools(world, token)
  await tools.own(deployer)
  if ((await tools.supply()) === 0n) await tools.setRead(callOf('totalSupply'), WHOLE)
  const pair = await openPair(world, token)
  const all = [deployer, pair, ...holders]
  const supply = (await tools.supply()) || WHOLE
  await spread(world, tools, { token, deployer, pair, holders, supply })
  await world.send(FOUNDER, pair, parseAbi(['function mint(address)']) as Abi, 'mint', [FOUNDER])
  await world.mine(12, true)
  const sends = (who: Address) => ({
    from: who,
    to: token,
    data: callOf('transfer', pair, supply / 10_000n + 1n),
    gas: GAS,
  })
  const [first] = holders as [Address]
  let isAlive = await tools.passes(sends(first))
  if (!isAlive && compiled) await openTrading(world, token, deployer, compiled.abi)
  isAlive = await tools.passes(sends(first))
  if (!isAlive) isAlive = await tools.satisfy(sends(first))
  if (isAlive) for (const each of holders.slice(1)) await tools.satisfy(sends(each))
  isAlive &&= (await Promise.all(holders.map((each) => tools.passes(sends(each))))).every(Boolean)
  await world.mine(3_600, true)
  const balances = await Promise.all(all.map((each) => tools.balance(each)))
  return { target: await toTarget(world, { token, deployer, pair, holders, balances, supply }), isAlive }
}

async function place(world: World, label: string, runtime: Hex): Promise<Address> {
  const token = accountOf(`token ${label}`)
  await world.anvil.rpc('anvil_setCode', [token, runtime])
  return token
}

async function deploy(world: World, deployer: Address, { abi, creation }: CompiledToken): Promise<Address | null> {
  const made = abi.find((each) => each.type === 'constructor')
  const args = (made?.inputs ?? []).map((input) => argumentFor(input, world, deployer))
  try {
    const token = await world.deploy(deployer, { abi, creation }, args)
    await world.mine(12, true)
    const code = await world.anvil.rpc<Hex>('eth_getCode', [token, 'latest'])
    return code === '0x' ? null : token
  } catch {
    return null
  }
}

const YEAR = 31_536_000n
function argumentFor({ type, name = '' }: AbiParameter, world: World, deployer: Address): unknown {
  if (type.endsWith(']')) return []
  if (type === 'address')
    return /router/i.test(name) ? world.v2Router : /factory/i.test(name) ? world.v2Factory : deployer
  if (type === 'bool') return true
  if (type === 'string') return 'Token'
  if (type.startsWith('bytes')) return type === 'bytes' ? '0x' : `0x${'00'.repeat(Number(type.slice(5)))}`
  if (/decimals/i.test(name) || type === 'uint8') return /^uint8$|^int8$/.test(type) ? 18 : 18n
  if (/fee|tax|percent|rate/i.test(name)) return 2n
  if (/end|clos|until|release/i.test(name)) return 1_760_000_000n + 100n * YEAR
  if (/start|open|time/i.test(name)) return 1_700_000_000n
  return 10n ** 9n
}

function createTools(world: World, token: Address) {
  const { anvil } = world
  const traceOf = (call: object) =>
    anvil
      .rpc<Trace>('debug_traceCall', [call, 'latest', { disableMemory: true, disableStorage: true }])
      .catch((): Trace => ({ failed: true, structLogs: [] }))
  const read = async (data: Hex): Promise<bigint | null> => {
    const answer = await anvil.rpc<Hex>('eth_call', [{ to: token, data, gas: GAS }, 'latest']).catch(() => '0x')
    return answer.length >= 66 ? BigInt(answer.slice(0, 66)) : null
  }
  const set = (slot: Hex, value: bigint) => anvil.rpc('anvil_setStorageAt', [token, slot, word(value)])
  const at = async (slot: Hex) => BigInt(await anvil.rpc<Hex>('eth_getStorageAt', [token, slot, 'latest']))
  const slotsOf = async (call: object): Promise<Hex[]> => {
    const { structLogs } = await traceOf(call)
    const slots = structLogs.flatMap(({ op, stack = [] }) =>
      op === 'SLOAD' ? [word(BigInt(stack.at(-1) ?? '0x0'))] : [],
    )
    return [...new Set(slots)]
  }
  const passes = async (call: object): Promise<boolean> => {
    const answer = await anvil.rpc<Hex>('eth_call', [call, 'latest']).catch(() => null)
    return answer !== null && !/^0x0{64}$/.test(answer)
  }
  /** Sets a slot that the read depends on, so that it answers the value. */
  const setRead = async (data: Hex, value: bigint): Promise<boolean> => {
    for (const slot of (await slotsOf({ to: token, data, gas: GAS })).toReversed()) {
      const before = await at(slot)
      await set(slot, value)
      const answer = await read(data)
      if (answer !== null && answer > 0n) return true
      await set(slot, before)
    }
    return false
  }
  /** Flips what a refused call read last, until it passes. */
  const satisfy = async (call: object): Promise<boolean> => {
    for (let flips = 0; flips < MAX_FLIPS; flips++) {
      if (await passes(call)) return true
      // Flags of all holders first: an entry of a mapping would exempt one holder from them.
      const slots = (await slotsOf(call))
        .toReversed()
        .toSorted((a, b) => Number(BigInt(a) > 2n ** 32n) - Number(BigInt(b) > 2n ** 32n))
        .slice(0, 8)
      let isChanged = false
      for (const slot of slots) {
        const before = await at(slot)
        for (const value of before === 0n ? [1n] : [0n]) {
          await set(slot, value)
          if (await passes(call)) return true
          await set(slot, before)
        }
      }
      const [last] = slots
      if (last && !isChanged && (await at(last)) === 0n) {
        await set(last, 1n)
        isChanged = true
      }
      if (!isChanged) return false
    }
    return passes(call)
  }
  return {
    passes,
    satisfy,
    setRead,
    supply: async () => (await read(callOf('totalSupply'))) ?? 0n,
    balance: async (of: Address) => (await read(callOf('balanceOf', of))) ?? 0n,
    setBalance: (of: Address, value: bigint) => setRead(callOf('balanceOf', of), value),
    /** Makes the account the owner: the slot of `owner()`, and slots that are compared with who calls. */
    own: async (deployer: Address) => {
      const owner = await read(callOf('owner'))
      if (owner === 0n) await setRead(callOf('owner'), BigInt(deployer))
      const code = await anvil.rpc<Hex>('eth_getCode', [token, 'latest'])
      const { readFunctions } = await import('../../src/safety/code/functions.ts')
      for (const { selector, types } of readFunctions(code).filter(({ isWriting }) => isWriting)) {
        const call = {
          from: deployer,
          to: token,
          data: `0x${selector}${'0'.repeat(63)}1`.padEnd(10 + 64 * Math.max(1, types.length), '0'),
          gas: GAS,
        }
        await ownBy(call, deployer)
      }
    },
  }

  async function ownBy(call: object, deployer: Address): Promise<void> {
    const me = BigInt(deployer)
    const { structLogs } = await traceOf(call)
    let last: bigint | null = null
    for (const { op, stack = [] } of structLogs) {
      if (op === 'SLOAD') last = BigInt(stack.at(-1) ?? '0x0')
      if (op !== 'EQ' && op !== 'SUB' && op !== 'XOR') continue
      const [a, b] = [BigInt(stack.at(-1) ?? '0x0'), BigInt(stack.at(-2) ?? '0x0')]
      if (!((a === me && b === 0n) || (b === me && a === 0n)) || last === null) continue
      const slot = word(last)
      const before = await at(slot)
      for (const shift of [0n, 8n, 16n]) {
        if ((before >> shift) & (2n ** 160n - 1n)) continue
        await set(slot, before | (me << shift))
        const again = await traceOf(call)
        const isPast = again.structLogs.some(
          ({ op: each, stack: has = [] }) =>
            each === 'EQ' && BigInt(has.at(-1) ?? '0x0') === me && BigInt(has.at(-2) ?? '0x0') === me,
        )
        if (isPast) return
        await set(slot, before)
      }
      return
    }
  }
}

async function openPair(world: World, token: Address): Promise<Address> {
  const { weth, v2Factory } = world
  const find = () =>
    world.ask<string>(v2Factory, 'function getPair(address,address) view returns (address)', token, weth)
  if (/^0x0+$/.test(await find())) {
    await world.send(FOUNDER, v2Factory, artifacts.v2Factory.abi, 'createPair', [token, weth])
    await world.mine()
  }
  return (await find()).toLowerCase() as Address
}

interface People {
  token: Address
  deployer: Address
  pair: Address
  holders: readonly Address[]
  supply: bigint
}

/** By transfers of the deployer, else by setting balances. */
async function spread(world: World, tools: ReturnType<typeof createTools>, people: People): Promise<void> {
  const { token, deployer, pair, holders, supply } = people
  const { weth } = world
  if ((await tools.balance(deployer)) === 0n) await tools.setBalance(deployer, supply)
  const held = await tools.balance(deployer)
  const parts: [Address, bigint][] = [
    [pair, held / 2n],
    ...holders.map((each): [Address, bigint] => [each, held / 100n]),
  ]
  for (const [to, amount] of parts) await world.send(deployer, token, ERC20 as Abi, 'transfer', [to, amount])
  await world.send(FOUNDER, weth, ERC20 as Abi, 'deposit', [], ether(100))
  await world.send(FOUNDER, weth, ERC20 as Abi, 'transfer', [pair, ether(100)])
  await world.mine(12, true)
  for (const [to] of parts)
    if ((await tools.balance(to)) === 0n) await tools.setBalance(to, to === pair ? supply / 2n : supply / 100n)
}

const OPENING = /open|enabl|start|launch|unpause|unfreeze|unlock|release|activ|trading|finaliz|finish/i

async function openTrading(world: World, token: Address, deployer: Address, abi: Abi): Promise<void> {
  for (const each of abi) {
    if (each.type !== 'function' || each.stateMutability === 'view' || each.stateMutability === 'pure') continue
    if (!OPENING.test(each.name) || /mint|renounce|ownership/i.test(each.name)) continue
    await world.send(
      deployer,
      token,
      [each] as Abi,
      each.name,
      each.inputs.map((input) => argumentFor(input, world, deployer)),
    )
  }
  await world.mine(12, true)
}

interface Found extends People {
  balances: readonly bigint[]
}

async function toTarget(
  world: World,
  { token, deployer, pair, holders, balances, supply }: Found,
): Promise<SafetyTarget> {
  const [token0, token1] = token < world.weth ? [token, world.weth] : [world.weth, token]
  const [reserve0, reserve1] = await world.ask<[bigint, bigint]>(
    pair,
    'function getReserves() view returns (uint112,uint112,uint32)',
  )
  return {
    token,
    deployer,
    pools: [
      {
        address: pair,
        kind: 'v2',
        venue: 'v2',
        factory: world.v2Factory,
        token0,
        token1,
        reserve0,
        reserve1,
        fee: 3_000,
        stable: false,
        tickSpacing: null,
        hooks: null,
        hookRights: 0,
        liquidityUsd: 600_000,
      },
    ],
    holders: holders.map((address, at) => {
      const held = balances[at + 2] ?? 0n
      return { address, balance: held, since: 1_760_000_100, hasSold: false, hasBought: true, lastBoughtAt: null }
    }),
    insiders: [],
    wrappedNative: world.weth,
    payers: new Map(),
    supply,
    gasPrice: null,
    insiderCalls: [],
    logs: null,
    known: null,
    seed: keccak256(token),
  }
}
