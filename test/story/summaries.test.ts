// The summaries of the demo's tokens, compared with their holders.
import { expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'

const { pool } = await createDemoDatabase()
const { rows: tokens } = await pool.query<{
  symbol: string
  summary: string
  flags: string[]
  ageDays: number
  largestPct: number
}>(`SELECT t.symbol, s.summary, t.risk_flags AS flags,
    extract(epoch FROM b.time - coalesce(t.first_liquidity_at, t.created_at))::float8 / 86400 AS "ageDays",
    (SELECT max(p.balance / nullif(t.supply - t.burned, 0))::float8 * 100 FROM position p JOIN wallet w ON w.id = p.wallet_id
      WHERE p.token_id = t.id AND w.kind IN ('account', 'contract')) AS "largestPct"
  FROM token t JOIN token_score s ON s.token_id = t.id CROSS JOIN (SELECT max(time) AS time FROM block) b WHERE t.indexed`)
const summaryOf = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.summary ?? ''

test('linked wallets that count as one owner are not told as one wallet', () => {
  expect(summaryOf('CLAN')).toMatch(/\d+ linked wallets together own 65 % of the supply/)
  for (const { summary, largestPct, symbol } of tokens) {
    const told = /one wallet owns (\d+) % of the supply/i.exec(summary)
    if (told) expect([symbol, Math.abs(Number(told[1]) - largestPct) <= 1]).toEqual([symbol, true])
  }
})

test('the holdings of a cluster are shown as a share of the supply first, and then of that outside the pools', () => {
  expect(summaryOf('HIVE')).toContain('inked wallets own 16 % of the supply, 45 % of what lies outside its pools.')
  expect(summaryOf('HYDRA')).toContain('inked wallets own 10 % of the supply, 27 % of what lies outside its pools')
})

test('no summary names the share of the ten largest twice', () => {
  for (const { summary } of tokens) expect(summary.match(/ten largest/g)?.length ?? 0).toBeLessThanOrEqual(1)
})

test('nothing is told of the week of a token that is younger', () => {
  const young = tokens.filter(({ ageDays }) => ageDays < 6.9)
  expect(young.length).toBeGreaterThan(0)
  for (const { summary } of young) expect(summary).not.toMatch(/week|seven days|7 days/)
})

test('no trade speaks for a token whose liquidity was pulled', () => {
  const pulled = tokens.filter(({ flags }) => flags.includes('liquidity_pulled'))
  expect(pulled.length).toBeGreaterThan(0)
  for (const { summary } of pulled) expect(summary).not.toMatch(/(sold|trade|volume|buys|sales)[^,.(]* \(-/)
})
