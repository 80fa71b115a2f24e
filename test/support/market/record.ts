// Records the demo chain: `npm run demo:record`. Runs the market on anvil, reads it back over JSON-RPC, and compares
// the replay's derived state with the chain itself. Writes the recording, the demo preset and the truth for the tests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Abi, type AbiFunction, encodeFunctionData, toFunctionSelector } from 'viem'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import type { RecordedBlock, RecordedContract, Recording } from '../../../src/chain/replay/recording.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { artifacts } from '../contracts/artifacts.ts'
import { CAST } from './cast.ts'
import { GENESIS, type Market, runMarket } from './market.ts'
import { tokenInfoCall } from './places.ts'
import { toPreset, toTruth } from './truth.ts'

interface Log {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  transactionIndex: string
}

interface Block {
  hash: string
  timestamp: string
  logsBloom: string
  transactions: { hash: string; from: string; to: string | null; value: string; input: string }[]
}

/** Slots per epoch: with 32, anvil calls a block final 64 blocks later. */
const SLOTS = 32
const hex = (number: number) => `0x${number.toString(16)}`
const write = (path: string, content: string | Uint8Array) =>
  writeFileSync(new URL(`../../../${path}`, import.meta.url), content)

/** Calls made to every contract: first those with the same answer at any block, then those whose answer changes. */
const STILL = ['name()', 'symbol()', 'decimals()', 'token0()', 'token1()', 'fee()', 'factory()', 'WETH()', 'WETH9()']
const MOVING: [string, string, Abi, readonly unknown[]][] = [
  ['totalSupply', 'totalSupply()', artifacts.plainToken.abi, []],
  ['balanceOf', 'balanceOf(address)', artifacts.plainToken.abi, [CAST.founder]],
  ['getReserves', 'getReserves()', artifacts.v2Pair.abi, []],
  ['slot0', 'slot0()', artifacts.v3Pool.abi, []],
  ['getPair', 'getPair(address,address)', artifacts.v2Factory.abi, [CAST.founder, CAST.locker]],
  ['getPool', 'getPool(address,address,uint24)', artifacts.v3Factory.abi, [CAST.founder, CAST.locker, 500]],
]

async function readBlocks(rpc: Anvil['rpc'], head: number): Promise<RecordedBlock[]> {
  const logs = await rpc<Log[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: hex(head) }])
  const grouped = new Map<number, Log[]>()
  for (const log of logs) {
    const number = Number(log.blockNumber)
    const own = grouped.get(number)
    if (own) own.push(log)
    else grouped.set(number, [log])
  }
  const blocks: RecordedBlock[] = []
  for (let number = 0; number <= head; number++) {
    const block = await rpc<Block>('eth_getBlockByNumber', [hex(number), true])
    blocks.push({
      hash: block.hash,
      time: Number(block.timestamp),
      bloom: block.logsBloom,
      transactions: block.transactions.map(({ hash, from, to, value, input }) => ({ hash, from, to, value, input })),
      logs: (grouped.get(number) ?? []).map(({ address, topics, data, transactionIndex }) => ({
        address,
        topics,
        data,
        at: Number(transactionIndex),
      })),
    })
  }
  return blocks
}

/** The first block at which each contract has code. */
function readBirths(blocks: readonly RecordedBlock[], { world, frontier }: Market): Map<string, number> {
  const births = new Map<string, number>()
  const known = [world.venues.weth, world.venues.usd]
  for (const venue of Object.values(world.venues))
    if (typeof venue === 'object') known.push(venue.factory, venue.router)
  const { managers, hooks, ...others } = frontier.outpost
  known.push(world.venues.uniswapV3.positions, ...[managers, hooks, others].flatMap((one) => Object.values(one)))
  for (const address of known) births.set(address, 1)
  blocks.forEach((block, number) => {
    for (const log of block.logs) if (!births.has(log.address)) births.set(log.address, number)
  })
  return births
}

async function askContract(rpc: Anvil['rpc'], to: string, born: number): Promise<RecordedContract> {
  const ask = (data: string) => rpc<string>('eth_call', [{ to, data }, 'latest']).catch(() => null)
  const contract: RecordedContract = { born, answers: {}, moving: [] }
  for (const signature of STILL) {
    const selector = toFunctionSelector(signature)
    contract.answers[selector] = await ask(selector)
  }
  for (const [functionName, signature, abi, args] of MOVING) {
    const selector = toFunctionSelector(signature)
    const answer = await ask(encodeFunctionData({ abi: abi as AbiFunction[], functionName, args }))
    if (answer !== null && answer.length > 2) contract.moving.push(selector)
    else contract.answers[selector] = answer
  }
  return contract
}

/** Checks that every balance, supply, reserve, price and pool that the replay derives equals the chain's. */
async function verify(rpc: Anvil['rpc'], recording: Recording): Promise<number> {
  const replay = createReplay(recording)
  const holders = new Map<string, Set<string>>()
  for (const { logs } of recording.blocks)
    for (const { address, topics } of logs)
      for (const topic of topics.slice(1, 3)) {
        const own = holders.get(address) ?? new Set()
        holders.set(address, own.add(topic.slice(26)))
      }
  const wrong: string[] = []
  let asked = 0
  for (const [to, { moving }] of Object.entries(recording.contracts)) {
    const questions = moving.flatMap((selector) => {
      if (selector === '0x70a08231') return [...(holders.get(to) ?? [])].map((who) => selector + who.padStart(64, '0'))
      return selector === '0x18160ddd' || selector === '0x0902f1ac' || selector === '0x3850c7bd' ? [selector] : []
    })
    for (const data of questions) {
      const params = [{ to, data }, 'latest']
      const real = await rpc<string>('eth_call', params).catch(() => 'reverted')
      const [answer] = await replay.send([{ method: 'eth_call', params }])
      // The recording keeps only the first two words of getReserves and slot0.
      const said = String(answer && 'result' in answer ? answer.result : '')
      if (said.slice(0, 130) !== real.slice(0, 130)) wrong.push(`${to} ${data}: replay ${said}, chain ${real}`)
      asked++
    }
  }
  if (wrong.length > 0) throw new Error(`${wrong.length} answers differ:\n${wrong.slice(0, 20).join('\n')}`)
  return asked
}

const started = Date.now()
const say = (text: string) => process.stderr.write(`${((Date.now() - started) / 1000).toFixed(0)} s: ${text}\n`)
// Only the newest state is asked for. Anvil would write the older ones to files, which takes most of its time.
const settings = ['--prune-history']
const anvil = await startAnvil({
  timestamp: GENESIS,
  chainId: DEMO_CHAIN_ID,
  slotsInAnEpoch: SLOTS,
  noMining: true,
  arguments: settings,
})
try {
  // A number of days records only the beginning, for a try.
  const days = process.argv[2]
  const market = await runMarket(anvil.rpc, days === undefined ? undefined : Number(days))
  const { world, frontier } = market
  const head = Number(await anvil.rpc<string>('eth_blockNumber'))
  const { failures } = world.chain
  say([`${head} blocks mined; ${failures.length} transactions reverted`, ...failures.slice(0, 20)].join('\n'))
  const blocks = await readBlocks(anvil.rpc, head)
  const finalized = await anvil.rpc<Block & { number: string }>('eth_getBlockByNumber', ['finalized', false])
  const recording: Recording = {
    chainId: DEMO_CHAIN_ID,
    finalityDepth: head - Number(finalized.number),
    blocks,
    contracts: {},
  }
  for (const [address, born] of readBirths(blocks, market))
    recording.contracts[address] = await askContract(anvil.rpc, address, born)
  // An ERC-721 contract: nobody reads its balances, and its logs are not decoded as ERC-20.
  Object.assign(recording.contracts[world.venues.uniswapV3.positions] ?? {}, { moving: [] })
  // The launch venue's constant answers: the quote of its tokens, and the amount for sale.
  const venue = recording.contracts[frontier.outpost.seedbed]
  for (const { address, plan } of frontier.coins) {
    if (!venue || plan.venue !== 'seedbed') continue
    const data = tokenInfoCall(address)
    venue.answers[data] = await anvil.rpc<string>('eth_call', [{ to: frontier.outpost.seedbed, data }, 'latest'])
  }
  say(`${await verify(anvil.rpc, recording)} answers of the replay agree with the chain`)
  const text = Buffer.from(JSON.stringify(recording))
  const packed = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  for (const folder of ['demo', 'test/fixtures', 'src/chain/presets'])
    mkdirSync(new URL(`../../../${folder}`, import.meta.url), { recursive: true })
  write('demo/chain.json.br', packed)
  write('src/chain/presets/demo.json', `${JSON.stringify(toPreset(market), null, 2)}\n`)
  write('test/fixtures/demo-truth.json', `${JSON.stringify(await toTruth(market, recording), null, 2)}\n`)
  const logs = blocks.reduce((sum, block) => sum + block.logs.length, 0)
  say(
    `${logs} logs, ${(text.length / 2 ** 20).toFixed(1)} MiB, packed ${(packed.length / 2 ** 20).toFixed(2)} MiB, head ${blocks[head]?.hash}`,
  )
} finally {
  await anvil.stop()
}
