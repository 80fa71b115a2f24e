// Runs a token that only exists as code on a local EVM: balances, an owner, a pair and holders that can send. Input:
// code. Output: the ledger's facts about it. Runtime code has no state, so the slots that a call reads are found and
// set; deployed code has its own.
import { type Abi, type AbiParameter, encodeFunctionData, keccak256, parseAbi } from 'viem'
import type { Address } from '../../src/base/address.ts'
import type { SafetyTarget } from '../../src/safety/target.ts'
import { artifacts } from '../../test/support/contracts/artifacts.ts'
import { accountOf, ether, FOUNDER, type World } from '../zoo/world.ts'
import type { CompiledToken } from './compilers.ts'
import { createTokenState, ERC20, GAS, type TokenState } from './state.ts'

type Hex = `0x${string}`
const WHOLE = 10n ** 24n
const LAUNCH_PURSE = '0x56bc75e2d63100000'
const HOLDERS = 10
/** Pairs count in 112 bits. */
const MOST_RESERVE = 2n ** 108n
const callOf = (name: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: ERC20 as Abi, functionName: name, args })

export interface Embodied {
  target: SafetyTarget
  /** Whether all holders can send to the pair, as those of a token that is traded. */
  isAlive: boolean
  /** Whether a holder could send only after the deployer had called what opens a token. */
  isOpened: boolean
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

/** `onClosed` gets a deployed token that its holders cannot send, before its deployer opens it. */
export async function embody(
  world: World,
  label: string,
  { runtime, compiled }: Body,
  onClosed: (target: SafetyTarget) => Promise<void>,
): Promise<Embodied | null> {
  const deployer = accountOf(`deployer of ${label}`)
  const holders = Array.from({ length: HOLDERS }, (_, at) => accountOf(`holder ${at} of ${label}`))
  await world.fund(deployer, ...holders)
  const deployed = compiled ? await deploy(world, deployer, compiled) : null
  const token = deployed ?? (runtime ? await place(world, label, runtime) : null)
  if (!token) return null
  const state = createTokenState(world, token)
  await state.own(deployer)
  if ((await state.supply()) === 0n) await state.setSupply(WHOLE)
  const boss = (deployed && (await state.owner())) || deployer
  await world.fund(boss)
  if (deployed && compiled) await launch(world, state, { token, boss, abi: compiled.abi })
  const pair = await openPair(world, token)
  const all = [deployer, pair, ...holders]
  const supply = (await state.supply()) || WHOLE
  await spread(world, state, { token, boss, pair, holders, supply })
  await world.send(FOUNDER, pair, parseAbi(['function mint(address)']) as Abi, 'mint', [FOUNDER])
  await world.mine(12, true)
  const sends = (who: Address) => ({
    from: who,
    to: token,
    data: callOf('transfer', pair, supply / 10_000n + 1n),
    gas: GAS,
  })
  const [first] = holders as [Address]
  let isAlive = await state.passes(sends(first))
  const targetNow = async () => {
    const balances = await Promise.all(all.map((each) => state.balance(each)))
    return toTarget(world, { token, deployer, boss, pair, holders, balances, supply })
  }
  if (!isAlive && deployed && compiled) {
    await onClosed(await targetNow())
    await openTrading(world, token, boss, compiled.abi)
  }
  const wasAlive = isAlive
  isAlive = await state.passes(sends(first))
  const isOpened = isAlive && !wasAlive
  if (!isAlive) isAlive = await state.satisfy(sends(first), pair)
  if (isAlive) for (const each of holders.slice(1)) await state.satisfy(sends(each), pair)
  isAlive &&= (await Promise.all(holders.map((each) => state.passes(sends(each))))).every(Boolean)
  await world.mine(3_600, true)
  return { target: await targetNow(), isAlive, isOpened }
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
  // What storage begins with: a token that its constructor may close is closed.
  if (type === 'bool') return false
  if (type === 'string') return 'Token'
  if (type.startsWith('bytes')) return type === 'bytes' ? '0x' : `0x${'00'.repeat(Number(type.slice(5)))}`
  if (/decimals/i.test(name) || type === 'uint8') return /^uint8$|^int8$/.test(type) ? 18 : 18n
  if (/cap|max/i.test(name)) return 10n ** 10n
  if (/fee|tax|percent|rate/i.test(name)) return 2n
  if (/end|clos|until|release/i.test(name)) return 1_760_000_000n + 100n * YEAR
  if (/start|open|time/i.test(name)) return 1_700_000_000n
  return 10n ** 9n
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

const LAUNCHING = /open|launch|creat|start|addliq|enabl/i
const FIND_PAIR = parseAbi(['function getPair(address,address) view returns (address)'])

/** Some tokens open a pair of their own, with what they hold; this is found by simulation. */
async function launch(
  world: World,
  state: TokenState,
  { token, boss, abi }: { token: Address; boss: Address; abi: Abi },
): Promise<void> {
  const { anvil, weth, v2Factory } = world
  const launching = abi.filter(
    (each) => each.type === 'function' && each.inputs.length === 0 && LAUNCHING.test(each.name),
  )
  const toCall = (each: Abi[number]) => ({
    from: boss,
    to: token,
    data: encodeFunctionData({ abi: [each] as Abi, functionName: 'name' in each ? each.name : '' }),
  })
  const find = {
    to: v2Factory,
    data: encodeFunctionData({ abi: FIND_PAIR, functionName: 'getPair', args: [token, weth] }),
  }
  const part = (await state.balance(boss)) / 2n
  const give = { from: boss, to: token, data: callOf('transfer', token, part) }
  for (const each of launching) {
    const calls = [find, give, toCall(each), find]
    const purse = { [token]: { balance: LAUNCH_PURSE } }
    const [block] = await anvil
      .rpc<{ calls: { returnData: Hex }[] }[]>('eth_simulateV1', [
        { blockStateCalls: [{ stateOverrides: purse, calls }] },
        'latest',
      ])
      .catch(() => [])
    const [before, , , after] = block?.calls.map(({ returnData }) => returnData) ?? []
    if (!after || after === before) continue
    await anvil.rpc('anvil_setBalance', [token, LAUNCH_PURSE])
    await world.sendData(boss, token, give.data)
    await world.sendData(boss, token, toCall(each).data)
    await world.mine(12, true)
    return
  }
}

interface People {
  token: Address
  /** Its owner, else its deployer. */
  boss: Address
  pair: Address
  holders: readonly Address[]
  supply: bigint
}

/** By transfers of the deployer, else by setting balances. */
async function spread(world: World, state: TokenState, people: People): Promise<void> {
  const { token, boss, pair, holders, supply } = people
  const { weth } = world
  if ((await state.balance(boss)) === 0n) await state.setBalance(boss, supply)
  const held = await state.balance(boss)
  const parts: [Address, bigint][] = [
    [pair, held / 2n < MOST_RESERVE ? held / 2n : MOST_RESERVE],
    ...holders.map((each): [Address, bigint] => [each, held / 100n]),
  ]
  for (const [to, amount] of parts) await world.send(boss, token, ERC20 as Abi, 'transfer', [to, amount])
  await world.send(FOUNDER, weth, ERC20 as Abi, 'deposit', [], ether(100))
  await world.send(FOUNDER, weth, ERC20 as Abi, 'transfer', [pair, ether(100)])
  await world.mine(12, true)
  for (const [to] of parts)
    if ((await state.balance(to)) === 0n) await state.setBalance(to, to === pair ? supply / 2n : supply / 100n)
}

const OPENING = /open|enabl|start|launch|unpause|unfreeze|unlock|release|activ|trading|finaliz|finish/i

async function openTrading(world: World, token: Address, boss: Address, abi: Abi): Promise<void> {
  for (const each of abi) {
    if (each.type !== 'function' || each.stateMutability === 'view' || each.stateMutability === 'pure') continue
    if (!OPENING.test(each.name) || /mint|renounce|ownership/i.test(each.name)) continue
    await world.send(
      boss,
      token,
      [each] as Abi,
      each.name,
      each.inputs.map((input) => (input.type === 'bool' ? true : argumentFor(input, world, boss))),
    )
  }
  await world.mine(12, true)
}

interface Found extends People {
  deployer: Address
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
    block: await world.newest(),
    deployer,
    createdBlock: null,
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
    trades: [],
    moves: [],
    logs: null,
    known: null,
    seed: keccak256(token),
  }
}
