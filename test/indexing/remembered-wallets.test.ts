import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { itemAt } from '../../src/base/item-at.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import {
  createKnownWallets,
  createLasting,
  createMemory,
  forgetChanged,
  type Memory,
} from '../../src/ledger/facts/memory.ts'
import { loadTokenFacts } from '../../src/ledger/facts/token.ts'
import { type Label, removeLabels, saveLabels } from '../../src/ledger/labels.ts'
import { readNewestBlock } from '../../src/ledger/scores/score-block.ts'
import type { createWriter } from '../../src/ledger/write/writer.ts'
import { FACT_RULES } from '../../src/scoring/weights.ts'
import { addressOf, createQuotedMarket, marketPreset, WETH, wallet } from '../support/blocks.ts'
import { createTestDatabase } from '../support/database.ts'
import { startAnew } from '../support/writing.ts'

type WriterChanges = NonNullable<Parameters<typeof createWriter>[0]['onChanges']>
const [remembering, reading] = [await createTestDatabase(), await createTestDatabase()]
const locks = await Promise.all([remembering, reading].map((database) => acquireWriter({ database })))
afterAll(() => Promise.all(locks.map((lock) => lock.release())))
const TOKEN = addressOf('token', 77)
const OWNER = wallet(1)
const TRADERS = 30

type Doing =
  | { kind: 'pay' | 'give' | 'collect'; from: number; to: number; many: number }
  | { kind: 'buy'; who: number; usd: number }
  | { kind: 'fund'; who: number; many: number }
  | { kind: 'label' | 'unlabel'; who: number }
  | { kind: 'wait'; hours: number }
  | { kind: 'undo'; blocks: number }

/** Most have bought the token; the last have not. */
const who = fc.integer({ min: 2, max: TRADERS + 3 })
const transfer = (kind: 'pay' | 'give' | 'collect') =>
  fc.record({ kind: fc.constant(kind), from: who, to: who, many: fc.constantFrom(1, 1, 3, 25) })
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 4, arbitrary: transfer('pay') },
  { weight: 4, arbitrary: transfer('give') },
  { weight: 3, arbitrary: transfer('collect') },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('buy' as const), who, usd: fc.constantFrom(50, 400) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fund' as const), who, many: fc.constantFrom(2, 25) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('label' as const, 'unlabel' as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), blocks: fc.constantFrom(1, 3) }) },
)

/** A token that all traders bought, and nobody's deed yet. */
function openMarket() {
  const { market } = createQuotedMarket(OWNER)
  market.token(TOKEN)
  market.mint(TOKEN, OWNER, 10n ** 24n)
  market.wrap(OWNER, 10n ** 21n)
  const pool = market.createPool(OWNER, TOKEN, WETH)
  const isZero = market.pool(pool).token0 === TOKEN
  market.add(pool, OWNER, isZero ? 5n * 10n ** 23n : 10n ** 20n, isZero ? 10n ** 20n : 5n * 10n ** 23n)
  market.mine()
  const buy = (n: number, usd: number) => {
    market.wrap(wallet(n), BigInt(usd) * 10n ** 15n)
    market.swap(pool, wallet(n), WETH, BigInt(usd) * 10n ** 15n)
  }
  for (let n = 2; n <= TRADERS; n += 1) buy(n, 10 + n)
  market.mine()
  let newcomers = 100
  /** New wallets, which somebody paid first, and which buy the token. */
  const fund = (by: number, many: number) => {
    for (let n = 0; n < many; n += 1) {
      newcomers += 1
      market.native(wallet(by), wallet(newcomers), 10n ** 18n)
      buy(newcomers, 5)
    }
  }
  return { market, buy, fund }
}

/** The wallets after one, around the ring of traders. */
const after = (from: number, many: number): number[] =>
  Array.from({ length: many }, (_, at) => 2 + ((from - 2 + at) % (TRADERS - 1)))

const label = (n: number): Label => ({
  ...{ address: wallet(n), source: 'list', kind: 'exchange', name: 'An exchange', licence: 'CC0' },
  ...{ confidence: 0.9, dated: '2026-01-01' },
})

async function readScores({ pool }: typeof reading): Promise<unknown[]> {
  const text = `SELECT 'token' AS kind, to_jsonb(s) AS score FROM token_score s
    UNION ALL SELECT 'wallet', to_jsonb(s) FROM wallet_score s ORDER BY 1, 2`
  return (await pool.query(text)).rows
}

function act({ market, buy, fund }: ReturnType<typeof openMarket>, step: Doing): void {
  if (step.kind === 'buy') buy(step.who, step.usd)
  if (step.kind === 'fund') fund(step.who, step.many)
  if (step.kind === 'pay') for (const to of after(step.to, step.many)) market.native(wallet(step.from), wallet(to), 1n)
  if (step.kind === 'collect')
    for (const from of after(step.from, step.many)) market.transfer(TOKEN, wallet(from), wallet(step.to), 10n ** 18n)
  if (step.kind === 'give')
    for (const to of after(step.to, step.many)) market.transfer(TOKEN, wallet(step.from), wallet(to), 10n ** 18n)
  market.mine(step.kind === 'wait' ? step.hours * 3_600 : 12)
}

/** The facts of the token that memory has a part in. */
async function readFacts(memory: Memory) {
  const { pool } = reading
  const block = await readNewestBlock(pool)
  if (!block) throw new Error('nothing is written yet')
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [TOKEN])
  const [facts] = await loadTokenFacts(pool, [rows[0]?.id ?? 0], toFactsBlock(block.number, block.time), memory)
  return facts && { links: facts.links, holders: facts.holders, traders: facts.traders }
}

/** So few links make a service here. */
const RULES = { ...FACT_RULES, hubLinks: 12, crowdLinks: 6 }

test('wallets remembered from block to block have the facts and links of a whole reading', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { minLength: 4, maxLength: 12 }), async (steps) => {
      const place = openMarket()
      const known = createKnownWallets(RULES)
      const onChanges: WriterChanges = (changed) => forgetChanged(known, changed)
      const writer = await startAnew(itemAt(locks, 1), place.market.reader, { onChanges })
      let written = 0
      for (const step of [{ kind: 'wait', hours: 1 } as const, ...steps.filter(isOfChain)]) {
        act(place, step)
        const blocks = place.market.blocks.slice(written)
        written = place.market.blocks.length
        await writer.append({ blocks, head: written, finalized: 0 })
        const remembered = await readFacts(createMemory(RULES, { ...createLasting(), ...known }))
        expect(remembered).toEqual(await readFacts(createMemory(RULES)))
      }
    }),
    { numRuns: 40, endOnFailure: true, examples: BECOMES_SERVICE },
  )
})

/** A wallet connects two others, until too many sent to it, or were first funded by it. */
const BECOMES_SERVICE: [Doing[]][] = [
  [
    [
      { kind: 'collect', from: 2, to: 10, many: 2 },
      { kind: 'collect', from: 4, to: 10, many: 25 },
    ],
  ],
  [
    [
      { kind: 'fund', who: 10, many: 3 },
      { kind: 'fund', who: 10, many: 25 },
      { kind: 'buy', who: 3, usd: 50 },
    ],
  ],
]

const isOfChain = ({ kind }: Doing) => kind !== 'undo' && kind !== 'label' && kind !== 'unlabel'

test('a scoring that remembers wallets from block to block finds the scores of one that reads them all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(doing, { minLength: 4, maxLength: 10 }), async (steps) => {
      const place = openMarket()
      const { market } = place
      const remembered = createRescore({ database: remembering, preset: marketPreset })
      const onChanges = remembered.follow()
      const writers = await Promise.all(
        locks.map((lock, at) => startAnew(lock, market.reader, at === 0 ? { onChanges } : {})),
      )
      let written = -1
      const append = async () => {
        const blocks = market.blocks.filter(({ number }) => number > written)
        written = market.blocks.at(-1)?.number ?? -1
        for (const writer of writers) await writer.append({ blocks, head: written, finalized: 0 })
      }
      for (const step of [{ kind: 'wait', hours: 1 } as const, ...steps]) {
        const databases = [remembering, reading]
        if (step.kind === 'label') for (const { pool } of databases) await saveLabels(pool, [label(step.who)])
        if (step.kind === 'unlabel') for (const { pool } of databases) await removeLabels(pool, wallet(step.who), null)
        if (step.kind === 'undo' && written > 5) {
          market.goBack(written - step.blocks)
          written -= step.blocks
          const [to] = market.blocks.slice(-1)
          if (to) for (const writer of writers) await writer.rollback(to)
          remembered.forget()
        }
        act(place, step)
        await append()
        await remembered.run({ mostMs: 60_000 })
        await createRescore({ database: reading, preset: marketPreset }).run({ mostMs: 60_000 })
        expect(await readScores(remembering)).toEqual(await readScores(reading))
      }
    }),
    { numRuns: 8, endOnFailure: true },
  )
})
