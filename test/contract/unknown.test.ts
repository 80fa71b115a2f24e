// REST's contract has numbers where GraphQL has null: `unknown` names each, and a bound takes none of them for a zero.
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed({ filled: await createDemoDatabase() })
})

interface RestToken {
  address: string
  market_cap_usd: number
  price_usd: number | null
  liquidity_usd: number
  unknown: string[]
}

const list = async (query: string): Promise<RestToken[]> => (await served.ask(`/tokens?limit=200${query}`)).json.data
const addresses = (tokens: readonly { address: string }[]) => tokens.map(({ address }) => address).sort()

describe('a market cap that is not known', () => {
  test('is a number in REST that `unknown` names, exactly where GraphQL has null', async () => {
    const query = '{ tokens(first: 200) { nodes { address marketCapUsd } } }'
    const { json } = await served.ask(`${served.url}/graphql?query=${encodeURIComponent(query)}`)
    const caps: { address: string; marketCapUsd: number | null }[] = json.data.tokens.nodes
    const tokens = new Map((await list('')).map((token) => [token.address, token]))
    expect(tokens.size).toBe(caps.length)
    expect(caps.some(({ marketCapUsd }) => marketCapUsd === null)).toBe(true)
    for (const { address, marketCapUsd } of caps) {
      const { market_cap_usd: cap, unknown } = tokens.get(address) as RestToken
      expect([address, cap, unknown.includes('market_cap_usd')]).toEqual([
        address,
        marketCapUsd ?? 0,
        marketCapUsd === null,
      ])
      const alone: RestToken = (await served.ask(`/tokens/${address}`)).json
      expect([address, alone.market_cap_usd, alone.unknown.includes('market_cap_usd')]).toEqual([
        ...[address, marketCapUsd ?? 0, marketCapUsd === null],
      ])
    }
  })

  test('passes no least cap, and no other bound removes the tokens that have it', async () => {
    const all = await list('')
    const unpriced = all.filter(({ unknown }) => unknown.includes('market_cap_usd'))
    expect(unpriced.length).toBeGreaterThan(2)
    const priced = await list('&min_market_cap_usd=0.000001')
    expect(addresses(priced)).toEqual(addresses(all.filter((token) => !unpriced.includes(token))))
    const deep = await list('&min_liquidity_usd=1')
    expect(addresses(deep)).toEqual(addresses(all.filter(({ liquidity_usd: liquidity }) => liquidity >= 1)))
    expect(addresses(await list('&min_liquidity_usd=0&min_market_cap_usd=0'))).toEqual(addresses(all))
  })
})
