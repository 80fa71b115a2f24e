// The zoo as it trades: its tokens on one chain, strangers who buy and sell, and the program's results for each. Input:
// a world. Output: animals, rounds of trade, answers.
import { parseAbi } from 'viem'
import { type Address, ZERO_ADDRESS } from '../../src/base/address.ts'
import { artifacts } from '../../test/support/contracts/artifacts.ts'
import type { ZooCase } from './cases.ts'
import { QUERY, type Told } from './goals.ts'
import type { Program } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { accountOf, ether, FOUNDER, type World } from './world.ts'

/** No check waits for its minute. */
export const CALLS = { CONTRACT_CALLS_PER_MINUTE: '100000' }
const HOUR = 3_600
const STRANGERS = 7
/** The other first buyers never sell before a trap closes. */
const SELLERS = 7
/** Rounds of trade before a trap closes: 16 days, so that an honest token is as old as a calm one. */
const ROUNDS = 64
/** In the rounds before, its first buyers buy again: a trap closes on them, and not on strangers. */
const FIRST_OF_STRANGERS = ROUNDS - 6

/** The chain's preset, with a deep pool of the wrapped coin and a stablecoin. */
export async function openMarket(world: World): Promise<Record<string, unknown>> {
  const { weth, usd, v2Factory, v3Factory, v3Positions } = world
  const dollars = 3_000_000n * 10n ** 6n
  const wrapped = parseAbi(['function deposit() payable', 'function transfer(address,uint256)'])
  await world.send(FOUNDER, usd, artifacts.faucetToken.abi, 'mint', [FOUNDER, 2n * dollars])
  await world.send(FOUNDER, v2Factory, artifacts.v2Factory.abi, 'createPair', [weth, usd])
  await world.mine()
  const find = 'function getPair(address,address) view returns (address)'
  const pair = (await world.ask<string>(v2Factory, find, weth, usd)).toLowerCase() as Address
  await world.send(FOUNDER, weth, wrapped, 'deposit', [], ether(1_000))
  await world.send(FOUNDER, weth, wrapped, 'transfer', [pair, ether(1_000)])
  await world.send(FOUNDER, usd, wrapped, 'transfer', [pair, dollars])
  await world.send(FOUNDER, pair, artifacts.v2Pair.abi, 'mint', [FOUNDER])
  await world.mine()
  return {
    chainId: 31_337,
    name: 'zoo',
    wrappedNative: weth,
    nativeSymbol: 'ETH',
    stablecoins: [usd],
    factories: [
      { address: v2Factory, kind: 'v2', launchpad: 'uniswap_v2' },
      { address: v3Factory, kind: 'v3', launchpad: 'uniswap_v3', positions: v3Positions },
    ],
    burnAddresses: [ZERO_ADDRESS, '0x000000000000000000000000000000000000dead'],
    lockers: [],
    exchanges: [],
    finalityDepth: 64,
    minPoolDepthUsd: 1_000,
    sectors: {},
    startBlock: 0,
  }
}

export interface Animal {
  one: ZooCase
  stage: Stage
}

/** Strangers trade each token; who tries to sell a closed one fails. */
export async function trade(world: World, animals: readonly Animal[], round: number): Promise<void> {
  for (const { one, stage } of animals) {
    const seller = stage.buyers[round % (round > ROUNDS ? stage.buyers.length : SELLERS)]
    const stranger = accountOf(`stranger ${round % STRANGERS} of ${one.name}`)
    const known = stage.buyers[(round + 3) % stage.buyers.length]
    const buyer = round < FIRST_OF_STRANGERS && known ? known : stranger
    await world.fund(buyer)
    await stage.buy(buyer)
    if (seller) await stage.sell(seller)
  }
  await world.mine(60, true)
}

export const headOf = async (world: World): Promise<number> => Number(await world.anvil.rpc('eth_blockNumber'))

export async function tell(program: Program, { stage }: Animal): Promise<Told> {
  return (await program.ask<{ token: Told }>(QUERY(stage.token))).token
}

/** Puts tokens on the market and lets them trade for 16 days. */
export async function openZoo(world: World, cases: readonly ZooCase[]): Promise<Animal[]> {
  const animals: Animal[] = []
  for (const one of cases) animals.push({ one, stage: await openStage(world, one.name, one.make, one.spread ?? 'buy') })
  for (let round = 0; round < ROUNDS; round++) {
    await trade(world, animals, round)
    await world.mine(6 * HOUR)
  }
  await trade(world, animals, ROUNDS)
  return animals
}
