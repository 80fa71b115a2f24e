// Recorded transactions of four chains, served by a node as blocks and indexed by the whole program. Every swap of a
// token that the recordings price has its amounts, its tokens and its trader. The recording itself gives the trader. It
// is the sender of the log's operation, or the owner in a settlement's log. If the owner sells the native coin for
// others, it is the receiver. Without either it is the signer.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFolder } from '../../research/goldens/recording.ts'
import { type Address, toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { createTestDatabase } from '../support/database.ts'
import { indexToHead } from '../support/live.ts'
import {
  createRecordedNode,
  type DeepPair,
  type Recorded,
  type RecordedChange,
  type RecordedSwap,
  readRecorded,
} from '../support/recorded-node.ts'

const FOLDER = resolve('../shared/data/exchange-goldens')
const isAbsent = !existsSync(FOLDER)

/** Tokens whose amounts the sources state with other than 18 decimals, as their stated amounts show. */
const DECIMALS = new Map([
  ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 6],
  ['0xaf88d065e77c8cc2239327c5edb3a432268e5831', 6],
  ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', 6],
  ['0x2791bca1f2de4661ed88a30c99a7a9449aa84174', 6],
  ['0xc2132d05d31c914a87c6611c10748aeb04b58e8f', 6],
  ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 6],
])

/** Owners of settled orders that sell the native coin for others. */
const NATIVE_SELLER = '0xba3cb449bd2b4adddbc894d8697f5170800eadec'

function traderOf({ recording, logs }: Recorded, { log }: RecordedSwap): string {
  const operation = logs.find((other) => other.kind === 'user_operation' && other.logIndex > log.logIndex)
  if (operation?.kind === 'user_operation') return operation.sender
  const settled = logs.find((other) => other.kind === 'settled')
  if (settled?.kind !== 'settled') return `${recording.from}`
  if ((settled.owner as string) !== NATIVE_SELLER) return settled.owner
  const paid = logs.findLast((other) => other.kind === 'transfer' && other.from === settled.address)
  return paid?.kind === 'transfer' ? paid.to : ''
}

interface Row {
  token: string
  quantity: number
  trader: string
  signer: string | null
  attribution: number | null
}

/** Chains, with how many swaps are indexed, and how many hooks send (no trades of a user): there are no others. */
const CHAINS: [name: string, chainId: number, indexed: number, byHooks: number][] = [
  ['Ethereum', 1, 6, 0],
  ['Base', 8453, 26, 9],
  ['Arbitrum', 42161, 5, 0],
  ['Polygon', 137, 10, 0],
]

/**
 * Made up: the depth that some tokens have on their chains. The recorded swaps of ZORA and of Polygon's native coin
 * prove too little for a price. USR's are Fluid's, which prices nothing, and the others have only a change of
 * liquidity. No source states these dollars, so tokens, amounts and traders are compared with the recordings, and
 * prices are not.
 */
const DEEP: Readonly<Record<number, DeepPair[]>> = {
  1: [
    {
      token: toAddress('0x66a1e37c9b0eaddca17d3662d6c05f4decf3e110'),
      money: toAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
      reserves: [10n ** 25n, 10n ** 13n],
    },
  ],
  8453: [
    {
      token: toAddress('0x88fb150bdc53a65fe94dea0c9ba0a6daf8c6e196'),
      money: toAddress('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
      reserves: [10n ** 24n, 10n ** 13n],
    },
    {
      token: toAddress('0x1111111111166b7fe7bd91427724b487980afc69'),
      money: toAddress('0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
      reserves: [10n ** 26n, 5n * 10n ** 12n],
    },
  ],
  42161: [
    {
      token: toAddress('0xba5ddd1f9d7f570dc94a51479a000e3bce967196'),
      money: toAddress('0xaf88d065e77c8cc2239327c5edb3a432268e5831'),
      reserves: [10n ** 23n, 10n ** 13n],
    },
  ],
  137: [
    {
      token: toAddress('0xb5c064f955d8e7f38fe0460c556a72987494ee17'),
      money: toAddress('0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
      reserves: [10n ** 26n, 10n ** 13n],
    },
    {
      token: toAddress('0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270'),
      money: toAddress('0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
      reserves: [10n ** 26n, 2n * 10n ** 13n],
    },
  ],
}

const EVENTS_OF_CHANGE = `SELECT e.type, t.address AS token, e.quantity, w.address AS trader FROM event e
  JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
  WHERE e.block_number = $1 AND e.log_index = $2 AND e.type IN (2, 3)`

/** Indexed changes of liquidity, and those without transfers of both coins of the pool. There are no others. */
const CHANGES: Readonly<Record<number, { indexed: number; untold: number }>> = {
  1: { indexed: 0, untold: 1 },
  8453: { indexed: 3, untold: 0 },
  42161: { indexed: 1, untold: 1 },
  137: { indexed: 3, untold: 0 },
}

/** What launch venues say of tokens in these recordings, and whose liquidity is locked until when. */
const LAUNCHES = `SELECT t.address AS token, t.launchpad, c.address AS creator, d.address AS deployer, p.address AS pool, h.address AS holder,
    extract(year FROM l.ends_at AT TIME ZONE 'UTC')::int AS until, position.balance = lp.supply AS holds_all
  FROM launch JOIN token t ON t.id = launch.token_id JOIN pool p ON p.id = launch.pool_id JOIN token lp ON lp.id = p.lp_token_id
  JOIN wallet c ON c.id = launch.creator_id JOIN wallet h ON h.id = launch.holder_id JOIN wallet d ON d.id = t.deployer_id
  JOIN token_lock l ON l.token_id = lp.id AND l.locker_id = h.id JOIN position ON position.token_id = lp.id AND position.wallet_id = h.id`

/** The coin of log 841 of Base's 0x13020b28: its pool is that of log 792, whose liquidity the hook put there before. */
const ZORA_COIN = {
  token: '0x253fc97e16d8741bd4ff295a2a2d6e9ee2741d3c',
  launchpad: 'zora',
  creator: '0xbf9dd3d0b4d93eed6e51406b5a95e5603916162d',
  deployer: '0xbf9dd3d0b4d93eed6e51406b5a95e5603916162d',
  pool: '0xc15c3300af02e4a871e6ae36a88b539445807bc88b801e197b52c2b09adb86fe',
  holder: '0x9ea932730a7787000042e34390b8e435dd839040',
  until: 9999,
  holds_all: true,
}

/** Right bits of a hook's address. */
const RIGHTS = 0x3fffn
const isByHook = ({ log }: RecordedSwap) => log.kind === 'v4_swap' && (BigInt(log.sender) & RIGHTS) === HOOK_RIGHTS
/** The rights of these recordings' hooks: they run after a pool is made, and after a swap. */
const HOOK_RIGHTS = (1n << 12n) | (1n << 6n)

describe('recorded transactions, indexed from a node (skipped where ../shared/data is absent),', () => {
  test.skipIf(isAbsent).each(CHAINS)(
    'have their tokens, amounts and traders on %s',
    async (_, chainId, indexed, byHooks) => {
      const preset = { ...loadPreset(chainId), startBlock: 0 }
      const seen = new Set<string>()
      const recorded = readFolder(FOLDER)
        .recordings.map(({ recording }) => recording)
        .filter(({ chainId: of, txHash }) => of === chainId && !seen.has(txHash) && seen.add(txHash))
        .map((recording) => readRecorded(recording, preset))
        // As on the chain, the native coin has a price before it is traded for others.
        .sort((a, b) => Number(pricesNative(b, preset)) - Number(pricesNative(a, preset)))
      const database = await createTestDatabase()
      const rpc = createRpc({
        endpoints: [createRecordedNode(recorded, preset, DECIMALS, DEEP[chainId])],
        clock: systemClock,
        chainId,
      })
      const source = createSource({ rpc, preset, clock: systemClock })
      await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })

      const tally = { indexed: 0, byHooks: 0, unknown: 0 }
      const wrong: string[] = []
      for (const [at, each] of recorded.entries()) {
        for (const swap of each.swaps) {
          const { rows } = await database.pool.query<Row>(
            `SELECT t.address AS token, e.quantity, w.address AS trader, s.address AS signer, e.attribution FROM event e
           JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id LEFT JOIN wallet s ON s.id = e.signer_id
           WHERE e.block_number = $1 AND e.log_index = $2`,
            [at + 1, swap.log.logIndex],
          )
          tally[rows.length > 0 ? 'indexed' : isByHook(swap) ? 'byHooks' : 'unknown'] += 1
          for (const row of rows) wrong.push(...faultsOf(each, swap, row))
        }
      }
      const changes = { indexed: 0, untold: 0 }
      for (const [at, each] of recorded.entries()) {
        for (const change of each.changes) {
          if (change.tokens.includes(null)) {
            changes.untold += 1
            continue
          }
          const { rows } = await database.pool.query<Row & { type: number }>(EVENTS_OF_CHANGE, [
            at + 1,
            change.log.logIndex,
          ])
          changes.indexed += Math.min(1, rows.length)
          for (const row of rows) wrong.push(...faultsOfChange(each, change, row))
        }
      }
      expect(changes).toEqual(CHANGES[chainId])
      expect((await database.pool.query(LAUNCHES)).rows).toEqual(chainId === 8453 ? [ZORA_COIN] : [])
      expect(wrong).toEqual([])
      expect(tally).toEqual({ indexed, byHooks, unknown: 0 })
    },
    120_000,
  )
})

/** Whether the first swap is of the native coin for a stablecoin. */
const pricesNative = ({ swaps }: Recorded, { wrappedNative, stablecoins }: Preset): boolean => {
  const tokens: readonly (Address | null)[] = swaps[0]?.tokens ?? []
  return tokens.includes(wrappedNative) && tokens.some((token) => token !== null && stablecoins.includes(token))
}

/** The signer is the provider in all of them, and the provider's share has the amount of the log. */
function faultsOfChange({ recording }: Recorded, change: RecordedChange, row: Row & { type: number }): string[] {
  const side = change.tokens.indexOf(row.token as Address)
  const size = Number(change.amounts[side] ?? 0n) / 10 ** (DECIMALS.get(row.token) ?? 18)
  const isAdd = change.log.kind.endsWith('_mint') || change.log.kind === 'coins_change'
  const place = `${recording.txHash} log ${change.log.logIndex}`
  return [
    ...(Math.abs(row.quantity / size - 1) < 1e-9 ? [] : [`${place}: ${row.quantity} of ${row.token}, not ${size}`]),
    ...(row.trader === recording.from ? [] : [`${place}: ${row.trader} provided, not ${recording.from}`]),
    ...(row.type === (isAdd ? 2 : 3) ? [] : [`${place}: type ${row.type}`]),
  ]
}

function faultsOf(each: Recorded, swap: RecordedSwap, row: Row): string[] {
  const { recording } = each
  const amounts = swap.amounts.map((amount, side) => {
    const size = Number(amount < 0n ? -amount : amount) / 10 ** (DECIMALS.get(row.token) ?? 18)
    const token = swap.tokens[side]
    return token === null || token === row.token ? size : null
  })
  const place = `${recording.txHash} log ${swap.log.logIndex}`
  const trader = traderOf(each, swap)
  const isOf = amounts.some((amount) => amount !== null && Math.abs(row.quantity / amount - 1) < 1e-9)
  return [
    ...(isOf ? [] : [`${place}: ${row.quantity} of ${row.token}, not ${amounts}`]),
    ...(row.trader === trader ? [] : [`${place}: ${row.trader} traded, not ${trader}`]),
    ...((row.signer ?? row.trader) === recording.from ? [] : [`${place}: ${row.signer} signed, not ${recording.from}`]),
  ]
}
