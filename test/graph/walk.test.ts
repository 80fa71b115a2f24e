import { afterAll, describe, expect, it } from 'vitest'
import { estimatePnl } from '../../src/scoring/pnl.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'

const database = await createTestDatabase()
const seeded = await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data

const priceOf = (id: number) => Number(seeded.tokens[id - 1]?.price_usd)
const held = (position: (typeof seeded.positions)[number]) =>
  Number(position.balance) / 10 ** Number(seeded.tokens[position.token_id - 1]?.decimals)

describe('the graph', () => {
  it('a token or wallet that is not indexed is null, and has no events', async () => {
    const [token, wallet] = [tokenAddress(30), walletAddress(60)]
    const answer = await ask(`{ token(address: "${token}") { name } wallet(address: "${wallet}") { address }
      tokenScore(address: "${token}") { riskScore } walletScore(address: "${wallet}") { reputationScore }
      events(filter: { tokens: "${token}" }) { total nodes { type } } nobody: events(filter: { wallets: "${wallet}" }, offset: 100) { total } }`)
    expect(answer).toMatchObject({
      ...{ token: null, wallet: null, tokenScore: null, walletScore: null },
      ...{ events: { total: 0, nodes: [] }, nobody: { total: 0 } },
    })
  })

  it('a token that is not scored yet is never shown as safe', async () => {
    const { token, wallet } = await ask(`{
      token(address: "${tokenAddress(28)}") { aiSummary score { confidence updatedAt explanation { score }
        dimensions { liquidityStabilityScore smartMoneyFlowScore } history { score } } }
      wallet(address: "${walletAddress(58)}") { classification reputationScore reputationConfidence sectorPreference
        score { confidence explanation { score } } } }`)
    expect(token.aiSummary).not.toBe('')
    expect(token.score).toMatchObject({
      confidence: 'low',
      explanation: null,
      updatedAt: new Date(HEAD_TIME * 1000).toISOString(),
      dimensions: { liquidityStabilityScore: null, smartMoneyFlowScore: null },
    })
    expect(wallet).toMatchObject({
      classification: 'unknown',
      reputationScore: 50,
      reputationConfidence: 'low',
      sectorPreference: 'unknown',
      score: { confidence: 'low', explanation: null },
    })
  })

  it('a summary names its source and its block', async () => {
    const query = `{ tokenScore(address: "${tokenAddress(2)}") { blockNumber summarySource summaryBlock } }`
    const { tokenScore } = await ask(query)
    expect(tokenScore).toMatchObject({ summarySource: 'facts', summaryBlock: tokenScore.blockNumber })
    await database.pool.query(`INSERT INTO token_summary VALUES (2, '', 'Written long ago.', 77)`)
    await database.pool.query(`UPDATE token_score SET summary_source = 'model' WHERE token_id = 2`)
    expect((await ask(query)).tokenScore).toMatchObject({ summarySource: 'model', summaryBlock: 77 })
    await database.pool.query(`UPDATE token_score SET summary_source = 'facts' WHERE token_id = 2`)
    expect((await ask(query)).tokenScore).toMatchObject({
      summarySource: 'facts',
      summaryBlock: tokenScore.blockNumber,
    })
  })

  it('an account is classified as sybil as long as a token counts it in a cluster', async () => {
    const query = `{ wallet(address: "${walletAddress(5)}") { classification score { classification } } }`
    const before = (await ask(query)).wallet
    expect(before.classification).not.toBe('sybil')
    await database.pool.query(`UPDATE token_score SET cluster_wallet_ids = '{4,5,6}' WHERE token_id = 2`)
    expect((await ask(query)).wallet).toEqual({ classification: 'sybil', score: { classification: 'sybil' } })
    await database.pool.query(`UPDATE token_score SET cluster_wallet_ids = NULL WHERE token_id = 2`)
    expect((await ask(query)).wallet).toEqual(before)
  })

  it('a token lists its ten largest holders by share, including pools and burn addresses, and all holders on pages', async () => {
    const { token } = await ask(`{ token(address: "${tokenAddress(1)}") { holderCount
      topHolders { address holdingPct classification netActivity }
      holders(offset: 7, first: 7) { total nodes { address } } } }`)
    const sorted = seeded.positions
      .filter((position) => position.token_id === 1 && position.balance !== '0')
      .sort((a, b) => Number(b.balance) - Number(a.balance) || a.wallet_id - b.wallet_id)
    const addresses = sorted.map((position) => walletAddress(position.wallet_id))
    expect(token.topHolders.map((holder: { address: string }) => holder.address)).toEqual(addresses.slice(0, 10))
    expect(token.topHolders[0].holdingPct).toBeCloseTo((100 * Number(sorted[0]?.balance)) / 1e24, 10)
    expect(token.holders).toMatchObject({ total: token.holderCount })
    expect(token.holders.nodes.map((holder: { address: string }) => holder.address)).toEqual(addresses.slice(7, 14))
    expect(token.holderCount).toBe(sorted.length)
  })

  it('another address is classified by its kind', async () => {
    const { pool, burned } = await ask(`{ pool: wallet(address: "${walletAddress(1)}") { kind classification }
      burned: wallet(address: "${walletAddress(2)}") { kind classification } }`)
    expect([pool.classification, burned.classification]).toEqual(['pool', 'burned'])
  })

  it('a portfolio is valued at the head, the largest holding first, without tokens that are not indexed', async () => {
    const { wallet } = await ask(`{ wallet(address: "${walletAddress(7)}") {
      portfolio { tokenAddress quantity valueUsd } pnlEstimateUsd pnlConfidence pnl { realisedUsd openUsd coverage } } }`)
    const own = seeded.positions.filter((position) => position.wallet_id === 7)
    const worth = own
      .filter((position) => position.balance !== '0' && position.token_id <= 28)
      .map((position) => ({
        tokenAddress: tokenAddress(position.token_id),
        quantity: held(position),
        valueUsd: Math.round(held(position) * priceOf(position.token_id) * 1e6) / 1e6,
      }))
      .sort((a, b) => b.valueUsd - a.valueUsd || (a.tokenAddress < b.tokenAddress ? -1 : 1))
    expect(wallet.portfolio).toEqual(worth)
    const pnl = estimatePnl(
      own.map((position) => ({
        quantity: held(position),
        costQuantity: Number(position.cost_quantity),
        costUsd: Number(position.cost_usd),
        boughtUsd: Number(position.bought_usd),
        soldUsd: Number(position.sold_usd),
        soldKnownUsd: Number(position.sold_known_usd),
        realisedUsd: Number(position.realised_usd),
        priceUsd: priceOf(position.token_id),
      })),
    )
    expect(wallet.pnlEstimateUsd).toBeCloseTo(pnl.pnlEstimateUsd, 6)
    expect(wallet.pnlConfidence).toBe(pnl.pnlConfidence)
    expect(wallet.pnl.coverage).toBe(pnl.coverage)
  })

  it('a score has its explanation and its history', async () => {
    const { tokenScore } = await ask(`{ tokenScore(address: "${tokenAddress(2)}") {
      explanation { link base floors { finding atLeast } dimensions { name inputs { name points } } confidenceGaps }
      history(limit: 1) { score level } token { address } } }`)
    expect(tokenScore.explanation).toMatchObject({ link: 'identity', floors: [{ atLeast: 85 }] })
    expect(tokenScore.history).toEqual([{ score: 51, level: 'high' }])
    expect(tokenScore.token.address).toBe(tokenAddress(2))
  })

  it('an earlier level that no version wrote is unknown, and never low', async () => {
    await database.pool.query(`UPDATE score_point SET level = 'severe' WHERE kind = 1 AND id = 2`)
    const { tokenScore } = await ask(`{ tokenScore(address: "${tokenAddress(2)}") { history(limit: 1) { level } } }`)
    expect(tokenScore.history).toEqual([{ level: 'unknown' }])
    await database.pool.query(`UPDATE score_point SET level = 'high' WHERE kind = 1 AND id = 2`)
  })

  it('me has the plan, limits and usage of the caller', async () => {
    const { me, chain } = await ask(`{ me { email plan activeAlertCount limits { requestsPerMinute activeAlerts }
      usage { date requests } } chain { chainId lagBlocks block { number } eventCount tokenCount } }`)
    expect(me).toMatchObject({
      plan: 'pro',
      activeAlertCount: 0,
      limits: { requestsPerMinute: 60, activeAlerts: null },
    })
    expect(chain).toEqual({ chainId: 31_337, lagBlocks: 2, block: { number: 10_000 }, eventCount: 600, tokenCount: 28 })
  })
})
