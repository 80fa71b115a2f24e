import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RiskFlag } from '../../src/base/vocabulary.ts'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, readDemoTruth } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import type { Truth } from '../support/market/truth.ts'
import { EXPLANATION, type PublishedExplanation, published, recompute, twoDigits } from '../support/recompute.ts'

interface TokenRow {
  address: string
  name: string
  symbol: string
  indexed: boolean
  decimals: number | null
  launchpad: string
  price_usd: number
  risk_score: number
  risk_flags: RiskFlag[]
}

const truth = readDemoTruth()

/** Null says that nothing is known, where the dimension has the points that say nothing. */
function expectKnown(told: unknown, dimensions: Record<string, number>): void {
  const known = Object.entries(told as Record<string, number | null>).filter(([, value]) => value !== null)
  expect(dimensions).toMatchObject(Object.fromEntries(known))
  expect(Object.keys(told as object).sort()).toEqual(Object.keys(dimensions).sort())
}

describe('the demo chain', () => {
  let database: TestDatabase
  let tokens: Map<string, TokenRow>

  beforeAll(async () => {
    database = await createDemoDatabase()
    const { rows } = await database.pool.query<TokenRow>(`SELECT * FROM token WHERE kind = 'erc20'`)
    tokens = new Map(rows.map((row) => [row.address, row]))
  })

  const wrong = (differs: (row: TokenRow, token: Truth['tokens'][number]) => string | null) =>
    truth.tokens.flatMap((token) => {
      const row = tokens.get(token.address)
      const difference = row ? differs(row, token) : 'is missing'
      return difference ? [`${token.symbol || token.address} (${token.story}): ${difference}`] : []
    })

  test('gives every token exactly the flags that its story deserves', () => {
    const text = (flags: readonly string[]) => [...flags].sort().join(', ') || 'none'
    expect(
      wrong(({ risk_flags }, { flags }) =>
        text(risk_flags) === text(flags) ? null : `flags ${text(risk_flags)} instead of ${text(flags)}`,
      ),
    ).toEqual([])
  })

  test('prices exactly the tokens with a deep enough pool at a known venue', () => {
    expect(
      wrong(({ price_usd, indexed }, token) =>
        price_usd > 0 === token.priced && indexed === token.indexed ? null : `price ${price_usd}, indexed ${indexed}`,
      ),
    ).toEqual([])
  })

  test('knows the venue and the decimals of every token', () => {
    expect(
      wrong((row, { decimals, launchpad }) =>
        row.decimals === decimals && (launchpad === null || row.launchpad === launchpad)
          ? null
          : `${row.decimals} decimals at ${row.launchpad}`,
      ),
    ).toEqual([])
  })

  test('stores no overlong token name and no NUL character', () => {
    for (const { name, symbol } of tokens.values()) {
      expect([...name].length).toBeLessThanOrEqual(256)
      expect(`${name}${symbol}`).not.toContain('\0')
    }
  })

  test.each(['smart_money', 'sniper', 'liquidity_provider', 'bot', 'whale'] as const)(
    'classifies most of its wallets of the kind %s as such',
    async (role) => {
      const wallets = truth.wallets[role] ?? []
      const { rows } = await database.pool.query<{ classification: string; count: number }>(
        `SELECT s.classification, count(*)::int AS count FROM wallet_score s JOIN wallet w ON w.id = s.wallet_id
         WHERE w.address = ANY($1) GROUP BY 1`,
        [wallets],
      )
      const found = rows.find(({ classification }) => classification === role)?.count ?? 0
      expect([role, rows, found > wallets.length / 2]).toEqual([role, rows, true])
    },
  )

  test('counts as whales only those who hold much, and gives whoever pulled a rug a low reputation and the profit of it', async () => {
    const { rows } = await database.pool.query<{ whales: number; pullers: number; best: number; gain: number }>(
      `SELECT count(*) FILTER (WHERE s.classification = 'whale')::int AS whales, sum(w.pulled_count)::int AS pullers,
         max(s.reputation_score) FILTER (WHERE w.pulled_count > 0) AS best,
         min(w.realised_usd) FILTER (WHERE w.pulled_count > 0) AS gain
       FROM wallet_score s JOIN wallet w ON w.id = s.wallet_id`,
    )
    expect(rows[0]?.whales).toBeLessThan(20)
    expect(rows[0]?.pullers).toBe(truth.tokens.filter(({ story }) => story === 'rug').length)
    expect(rows[0]?.best).toBeLessThan(35)
    expect(rows[0]?.gain).toBeGreaterThan(0)
    const { rows: puller } = await database.pool.query<{ realised_usd: number }>(
      `SELECT w.realised_usd FROM wallet w JOIN token t ON t.deployer_id = w.id WHERE t.symbol = 'RUGA'`,
    )
    expect(puller[0]?.realised_usd).toBeGreaterThan(10_000)
  })

  test('gives rugs a higher risk than honest tokens, by 30 points on average', () => {
    const mean = (harm: boolean) => {
      const scores = truth.tokens
        .filter(
          ({ story, indexed }) => indexed && (story === 'rug') === harm && ['rug', 'grower', 'steady'].includes(story),
        )
        .map(({ address }) => tokens.get(address)?.risk_score ?? Number.NaN)
      return scores.reduce((sum, score) => sum + score, 0) / scores.length
    }
    expect(mean(true)).toBeGreaterThan(mean(false) + 30)
  })

  describe('publishes explanations from which a client can recompute exactly', () => {
    let graph: Awaited<ReturnType<typeof openGraph>>
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
    const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data
    beforeAll(async () => {
      graph = await openGraph(database)
    })
    afterAll(() => graph.head.stop())

    test('the risk of every token', async () => {
      const { tokens: all } = await ask(`{ tokens(first: 200) { total nodes { riskScore score { riskScore blockNumber
        dimensions { holderConcentrationScore washTradeScore smartMoneyFlowScore }
        ${EXPLANATION} } } } }`)
      expect(all.nodes).toHaveLength(all.total)
      for (const { riskScore, score } of all.nodes) {
        const explanation: PublishedExplanation = score.explanation
        const again = recompute(explanation)
        expect(again).toEqual(published(explanation))
        expect([riskScore, score.riskScore, score.blockNumber]).toEqual([again.score, again.score, explanation.block])
        const value = (name: string) => again.dimensions.find((it) => it.name === name)?.value ?? Number.NaN
        expectKnown(score.dimensions, {
          holderConcentrationScore: twoDigits(value('holders')),
          washTradeScore: twoDigits(value('wash')),
          smartMoneyFlowScore: twoDigits(100 - value('smart_money')),
        })
      }
    })

    test('has no value for unknown facts of a token without decimals, and still the activity of its holders', async () => {
      const mute = truth.tokens.find(({ decimals, indexed }) => decimals === null && indexed)
      const { token } = await ask(`{ token(address: "${mute?.address}") {
        priceUsd marketCapUsd fdvUsd supply fundedHolderCount holderGrowth1hPct riskLevel holderCount
        score { dimensions { holderConcentrationScore smartMoneyFlowScore } }
        topHolders { holdingPct quantity valueUsd sellableUsd netActivity classification }
        events(first: 50) { nodes { quantity } } } }`)
      const { topHolders, events, score, riskLevel, holderCount, ...unknown } = token
      expect(new Set(Object.values(unknown))).toEqual(new Set([null]))
      expect(riskLevel).not.toBe('low')
      expect(holderCount).toBeGreaterThan(20)
      expect(new Set(events.nodes.map(({ quantity }: { quantity: number | null }) => quantity))).toEqual(
        new Set([null]),
      )
      for (const holder of topHolders)
        expect(holder).toMatchObject({ quantity: null, valueUsd: null, sellableUsd: null })
      expect(topHolders[0].holdingPct).toBeGreaterThan(0)
      expect(topHolders.every(({ netActivity }: { netActivity: string }) => netActivity === 'inactive')).toBe(false)
      // Shares of the supply are the same in any unit.
      expect(score.dimensions.holderConcentrationScore).not.toBeNull()
      expect(score.dimensions.smartMoneyFlowScore).toBeNull()
    })

    test('no price, cap or value where nothing prices a token, and no dimension where nothing was traded', async () => {
      const { tokens: all } = await ask(`{ tokens(first: 200) { nodes { priceUsd marketCapUsd fundedHolderCount
        windows { d7 { buyCount sellCount } } score { dimensions { washTradeScore } }
        topHolders { valueUsd wallet { portfolio(limit: 200) { valueUsd sellableUsd token { priceUsd depth2PctUsd pricePoolCount } } } } } } }`)
      for (const { priceUsd, marketCapUsd, fundedHolderCount, windows, score, topHolders } of all.nodes) {
        expect([marketCapUsd === null, fundedHolderCount === null]).toEqual([priceUsd === null, priceUsd === null])
        const trades = windows.d7.buyCount + windows.d7.sellCount
        if (trades === 0) expect(score.dimensions.washTradeScore).toBeNull()
        for (const holder of topHolders) {
          expect(holder.valueUsd === null).toBe(priceUsd === null)
          for (const { valueUsd, sellableUsd, token } of holder.wallet.portfolio)
            expect([valueUsd === null, sellableUsd === null]).toEqual([
              token.priceUsd === null,
              token.priceUsd === null || (token.pricePoolCount > 0 && token.depth2PctUsd === null),
            ])
        }
      }
      expect(all.nodes.some(({ priceUsd }: { priceUsd: number | null }) => priceUsd === null)).toBe(true)
    })

    test('beside numbers of every token that fit together', async () => {
      const { tokens: all } = await ask(`{ tokens(first: 200) { nodes { symbol priceUsd priceConfidence depth2PctUsd
        liquidityUsd marketCapUsd fdvUsd volume24hUsd organicVolume24hUsd } } }`)
      const unfit = all.nodes.filter(
        (token: Record<string, number | string | null>) =>
          (token.priceUsd === null) !== (token.priceConfidence === null) ||
          // A pulled token with nearly empty pools has a price and no diluted value.
          (token.priceUsd === null || token.symbol === 'RUGD') !== (token.fdvUsd === null) ||
          (token.fdvUsd !== null && Number(token.marketCapUsd) > Number(token.fdvUsd)) ||
          Number(token.organicVolume24hUsd) > Number(token.volume24hUsd) ||
          (token.depth2PctUsd !== null && Number(token.depth2PctUsd) > Number(token.liquidityUsd) / 2) ||
          (token.liquidityUsd !== 0 && Number(token.liquidityUsd) < 1e-6),
      )
      expect(unfit).toEqual([])
      const largest = Math.max(...all.nodes.map((token: { volume24hUsd: number }) => token.volume24hUsd))
      const native = all.nodes.find(({ symbol }: { symbol: string }) => symbol === 'WETH')
      expect(native.volume24hUsd).toBe(largest)
    })

    test('the reputation of every wallet', async () => {
      const { rows } = await database.pool.query<{ address: string }>('SELECT address FROM wallet WHERE indexed')
      expect(rows.length).toBeGreaterThan(300)
      for (let at = 0; at < rows.length; at += 50) {
        const fields = rows.slice(at, at + 50).map(
          ({ address }, n) => `w${n}: walletScore(address: "${address}") { reputationScore
            dimensions { entryTimingScore consistencyScore riskDrawdownScore } ${EXPLANATION} }`,
        )
        for (const score of Object.values<Record<string, unknown>>(await ask(`{ ${fields.join(' ')} }`))) {
          const explanation = score.explanation as PublishedExplanation
          const again = recompute(explanation)
          expect(again).toEqual(published(explanation))
          expect(score.reputationScore).toBe(again.score)
          const value = (name: string) =>
            twoDigits(again.dimensions.find((it) => it.name === name)?.value ?? Number.NaN)
          expectKnown(score.dimensions, {
            entryTimingScore: value('entryTiming'),
            consistencyScore: value('consistency'),
            riskDrawdownScore: value('riskDrawdown'),
          })
        }
      }
    })
  })
})
