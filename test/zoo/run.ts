// `npm run zoo [-- --only TEXT]`: the zoo's tokens on one chain, indexed by the program over JSON-RPC, with checks of contracts and
// without. Prints a table of what each token was told to be before and after its trap closed. Exits with 1 where a goal is missed.
import { parseArgs } from 'node:util'
import { parseAbi } from 'viem'
import { type Address, ZERO_ADDRESS } from '../../src/base/address.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { CASES, type ZooCase } from './cases.ts'
import { isFound, missedGoals, QUERY, type Row, type Told, toTable } from './goals.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { accountOf, createWorld, ether, FOUNDER, type World } from './world.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const say = (line: string) => process.stdout.write(`${line}\n`)
const CALLS = { CONTRACT_CALLS_PER_MINUTE: '100000' }
const HOUR = 3_600
/** After a trap has closed: so many blocks a minute apart, or fewer if everything is found. */
const MOST_BLOCKS = 90
const BLOCKS_AT_ONCE = 5
const STRANGERS = 7

async function openMarket(world: World): Promise<Record<string, unknown>> {
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

interface Animal {
  one: ZooCase
  stage: Stage
}

/** Strangers trade each token; who tries to sell a closed one fails. */
async function trade(world: World, animals: readonly Animal[], round: number): Promise<void> {
  for (const { one, stage } of animals) {
    const stranger = accountOf(`stranger ${round % STRANGERS} of ${one.name}`)
    await world.fund(stranger)
    await stage.buy(stranger)
    const seller = stage.buyers[round % stage.buyers.length]
    if (seller) await stage.sell(seller)
  }
  await world.mine(60, true)
}

const headOf = async (world: World): Promise<number> => Number(await world.anvil.rpc('eth_blockNumber'))

async function tell(program: Program, { stage }: Animal): Promise<Told> {
  return (await program.ask<{ token: Told }>(QUERY(stage.token))).token
}

const callsOf = async (program: Program, { stage }: Animal): Promise<number> => {
  const [row] = await program.rows<{ report: string }>(
    `SELECT s.report FROM token_safety s JOIN token t ON t.id = s.token_id WHERE t.address = '${stage.token}'`,
  )
  return row ? (JSON.parse(row.report) as { calls: number }).calls : 0
}

const world = await createWorld()
const preset = await openMarket(world)
const animals: Animal[] = []
for (const one of CASES.filter(({ name }) => name.includes(values.only)))
  animals.push({ one, stage: await openStage(world, one.name, one.make, one.spread ?? 'buy') })
for (let round = 0; round < 6; round++) {
  await trade(world, animals, round)
  await world.mine(5 * HOUR)
}
await trade(world, animals, 6)
say(`${animals.length} tokens on ${await headOf(world)} blocks`)

const program = await startProgram(world.anvil.url, preset, CALLS)
const nudge = () => world.mine(1)
await program.settle(await headOf(world), nudge)
const open = await Promise.all(animals.map((animal) => tell(program, animal)))
const openCalls = await Promise.all(animals.map((animal) => callsOf(program, animal)))

for (const { one, stage } of animals) await one.spring?.(stage)
await world.mine()
const closedAt = await headOf(world)
const foundAt = new Map<string, number>()
const traps = animals.filter(({ one }) => one.trap !== null)
for (let blocks = 1; blocks <= MOST_BLOCKS && foundAt.size < traps.length; blocks++) {
  await trade(world, animals, 100 + blocks)
  if (blocks % BLOCKS_AT_ONCE !== 0) continue
  await program.settle(await headOf(world), nudge)
  for (const animal of traps) {
    if (isFound(animal.one, await tell(program, animal)))
      foundAt.set(animal.one.name, foundAt.get(animal.one.name) ?? (await headOf(world)) - closedAt)
  }
}
await program.settle(await headOf(world), nudge)
const closed = await Promise.all(animals.map((animal) => tell(program, animal)))
const closedCalls = await Promise.all(animals.map((animal) => callsOf(program, animal)))
await program.stop()

const plain = await startProgram(world.anvil.url, preset, { CONTRACT_CHECKS: 'off' })
await plain.settle(await headOf(world))
const unchecked = await Promise.all(animals.map((animal) => tell(plain, animal)))
await plain.stop()
await world.stop()

const rows = animals.flatMap(({ one }, at): Row[] => {
  const [before, after, without] = [open[at], closed[at], unchecked[at]]
  if (!before || !after || !without) return []
  const calls = [openCalls[at] ?? 0, closedCalls[at] ?? 0] as const
  return [{ one, open: before, closed: after, unchecked: without, blocks: foundAt.get(one.name) ?? null, calls }]
})
for (const line of toTable(rows)) say(line)
const missed = rows.flatMap(missedGoals)
for (const line of missed) say(`missed: ${line}`)
process.exit(missed.length > 0 ? 1 : 0)
