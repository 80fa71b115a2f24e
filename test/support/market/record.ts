// Records the demo chain: `npm run demo:record`. Runs the market on anvil, reads it back over JSON-RPC, and compares
// the replay's derived state with the chain itself. Writes the recording, the demo preset and the truth for the tests.
import { mkdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Abi, type AbiFunction, encodeFunctionData, toFunctionSelector } from 'viem'
import { DEMO_CHAIN_ID } from '../../../src/chain/replay/demo.ts'
import {
  formatRecording,
  type RecordedBlock,
  type RecordedContract,
  type Recording,
} from '../../../src/chain/replay/recording.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { PROXY_SLOTS } from '../../../src/safety/code/proxy.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { artifacts } from '../contracts/artifacts.ts'
import { CAST } from './cast.ts'
import { GENESIS, type Market, runMarket } from './market.ts'
import { tokenInfoCall } from './places.ts'
import { readRules } from './traps.ts'
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
const STILL = [
  'name()',
  'symbol()',
  'decimals()',
  'token0()',
  'token1()',
  'fee()',
  'factory()',
  'WETH()',
  'WETH9()',
  'owner()',
  'getOwner()',
]
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

/** The selectors of a token that anybody may try: `transfer` and `transferFrom`. */
const SENDING = ['0xa9059cbb', '0x23b872dd']
/** The slots that a check of a contract reads: the first, and those of proxies. */
const CHECKED_SLOTS = [...Array.from({ length: 16 }, (_, at) => hex(at)), ...Object.values(PROXY_SLOTS)]

/** The place of the code in the list, which gets it if it is new. */
function placeCode(codes: string[], code: string): number {
  const known = codes.indexOf(code)
  return known === -1 ? codes.push(code) - 1 : known
}

async function askContract(rpc: Anvil['rpc'], to: string, born: number, codes: string[]): Promise<RecordedContract> {
  const ask = (data: string) => rpc<string>('eth_call', [{ to, data }, 'latest']).catch(() => null)
  const code = await rpc<string>('eth_getCode', [to, 'latest'])
  const contract: RecordedContract = { born, answers: {}, moving: [], code: placeCode(codes, code) }
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
  if (!contract.moving.includes(BALANCE) || !SENDING.every((selector) => code.includes(selector.slice(2))))
    return contract
  contract.moving.push(...SENDING)
  contract.slots = {}
  for (const slot of CHECKED_SLOTS) contract.slots[slot] = await rpc<string>('eth_getStorageAt', [to, slot, 'latest'])
  return contract
}

const BALANCE = '0x70a08231'
const ONE = '1'.padStart(64, '0')
/** Of a token without a rule, the transfers of this many holders are compared. */
const COMPARED = 4

interface Question {
  from?: string
  to: string
  data: string
}

/** The holder sends one unit to a contract and to an account, and others spend it. (WETH9 lets everybody spend its own.) */
function tryHolder(to: string, holder: string, spenders: readonly string[], contract: string): Question[] {
  const [owner, place, account] = [`0x${holder}`, contract, CAST.whale].map((one) => one.slice(2).padStart(64, '0'))
  return [
    { from: `0x${holder}`, to, data: `${SENDING[0]}${place}${ONE}` },
    { from: `0x${holder}`, to, data: `${SENDING[0]}${account}${ONE}` },
    ...spenders
      .filter((from) => from !== `0x${holder}`)
      .map((from) => ({ from, to, data: `${SENDING[1]}${owner}${account}${ONE}` })),
  ]
}

/** Everything that the replay derives, and can thus be compared with the chain. */
function listQuestions({ blocks, contracts }: Recording, contract: string): Question[] {
  const holders = new Map<string, Set<string>>()
  for (const { logs } of blocks)
    for (const { address, topics } of logs)
      for (const topic of topics.slice(1, 3)) {
        const own = holders.get(address) ?? new Set()
        holders.set(address, own.add(topic.slice(26)))
      }
  return Object.entries(contracts).flatMap(([to, { moving, rule }]) => {
    const own = [...(holders.get(to) ?? [])].filter((who) => !/^0*$/.test(who))
    const spenders = [CAST.founder, ...(rule?.free ?? [])]
    return moving.flatMap((selector): Question[] => {
      if (selector === BALANCE) return own.map((who) => ({ to, data: selector + who.padStart(64, '0') }))
      if (selector === SENDING[0])
        return (rule ? own : own.slice(0, COMPARED)).flatMap((who) => tryHolder(to, who, spenders, contract))
      return ['0x18160ddd', '0x0902f1ac', '0x3850c7bd'].includes(selector) ? [{ to, data: selector }] : []
    })
  })
}

/** Checks that every balance, supply, reserve, price, pool and transfer that the replay derives equals the chain's. */
async function verify(rpc: Anvil['rpc'], recording: Recording, contract: string): Promise<number> {
  const replay = createReplay(recording)
  const questions = listQuestions(recording, contract)
  const wrong: string[] = []
  for (const question of questions) {
    const params = [question, 'latest']
    const real = await rpc<string>('eth_call', params).catch(() => 'reverted')
    const [answer] = await replay.send([{ method: 'eth_call', params }])
    // The recording keeps only the first two words of getReserves and slot0.
    const said = answer && 'result' in answer ? String(answer.result) : 'reverted'
    if (said.slice(0, 130) !== real.slice(0, 130))
      wrong.push(`${JSON.stringify(question)}: replay ${said}, chain ${real}`)
  }
  if (wrong.length > 0) throw new Error(`${wrong.length} answers differ:\n${wrong.slice(0, 20).join('\n')}`)
  return questions.length
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
    codes: [],
  }
  for (const [address, born] of readBirths(blocks, market))
    recording.contracts[address] = await askContract(anvil.rpc, address, born, recording.codes)
  for (const [address, rule] of readRules(market.traps, blocks))
    Object.assign(recording.contracts[address] ?? {}, { rule })
  // An ERC-721 contract: nobody reads its balances, and its logs are not decoded as ERC-20.
  Object.assign(recording.contracts[world.venues.uniswapV3.positions] ?? {}, { moving: [] })
  // The launch venue's constant answers: the quote of its tokens, and the amount for sale.
  const venue = recording.contracts[frontier.outpost.seedbed]
  for (const { address, plan } of frontier.coins) {
    if (!venue || plan.venue !== 'seedbed') continue
    const data = tokenInfoCall(address)
    venue.answers[data] = await anvil.rpc<string>('eth_call', [{ to: frontier.outpost.seedbed, data }, 'latest'])
  }
  say(
    `${await verify(anvil.rpc, recording, world.venues.uniswapV2.factory)} answers of the replay agree with the chain`,
  )
  const text = Buffer.from(formatRecording(recording))
  const packed = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
  })
  for (const folder of ['demo', 'test/fixtures', 'src/chain/presets'])
    mkdirSync(new URL(`../../../${folder}`, import.meta.url), { recursive: true })
  write('demo/chain.jsonl.br', packed)
  write('src/chain/presets/demo.json', JSON.stringify(toPreset(market)))
  write(
    'test/fixtures/demo-truth.json',
    `${JSON.stringify(await toTruth(market, recording)).replaceAll('},{', '},\n{')}\n`,
  )
  const logs = blocks.reduce((sum, block) => sum + block.logs.length, 0)
  say(
    `${logs} logs, ${(text.length / 2 ** 20).toFixed(1)} MiB, packed ${(packed.length / 2 ** 20).toFixed(2)} MiB, head ${blocks[head]?.hash}`,
  )
} finally {
  await anvil.stop()
}
