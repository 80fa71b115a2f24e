import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import { type Edge, findClusters, groupClusters, joinEvidence, readEvidence } from '../../src/scoring/sybil.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { toTokenScore } from '../../src/scoring/token-score.ts'
import { holder, NOW, swap, token } from '../support/facts.ts'

const clusterToken = (facts: TokenFacts) => {
  const evidence = readEvidence(facts)
  return evidence && joinEvidence(evidence)
}

const anyEdges = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 })), { maxLength: 60 })

test('clusters do not depend on the order or the direction of the links', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const turned = [...edges].reverse().map(([a, b]): Edge => [b, a])
      expect(new Map([...findClusters(turned)].sort())).toEqual(new Map([...findClusters(edges)].sort()))
    }),
  )
})

test('linked wallets share a cluster, which is named by its smallest wallet', () => {
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const clusters = findClusters(edges)
      for (const [a, b] of edges) if (a !== b) expect(clusters.get(a)).toBe(clusters.get(b))
      for (const [root, members] of groupClusters(clusters)) expect(Math.min(...members)).toBe(root)
    }),
  )
})

test('a service links nobody, whether it is known or has too many links', () => {
  const star = Array.from({ length: 10 }, (_, at): Edge => [at + 1, 99])
  expect(findClusters(star).size).toBe(11)
  expect(findClusters(star, { entities: new Set([99]) }).size).toBe(0)
  expect(findClusters(star, { maxDegree: 9 }).size).toBe(0)
})

test('wallets with one funder that hold a tenth of the supply set sybil_cluster and count as one holder', () => {
  const ring = Array.from({ length: 9 }, (_, at) => holder(at + 1, 0.05, { firstFunderId: 500 }))
  const others = Array.from({ length: 30 }, (_, at) => holder(at + 100, 0.015))
  const risk = scoreToken(token({ holders: [...ring, ...others] }))
  expect(risk.flags).toContain('sybil_cluster')
  expect(risk.flags).toContain('concentrated_ownership')
  expect(risk.measures.largestHolderShare).toBeCloseTo(0.45)
  expect(risk.clusterWalletIds).toEqual(ring.map((it) => it.id))
  const strangers = ring.map((it) => ({ ...it, firstFunderId: null }))
  expect(scoreToken(token({ holders: [...strangers, ...others] }))).toMatchObject({ flags: [], clusterWalletIds: [] })
})

test('fresh wallets that buy the same size within minutes are linked', () => {
  const ids = [1, 2, 3, 4, 5, 6]
  const holders = ids.map((id) => holder(id, 0.03, { firstSeenAt: NOW - 7_200 }))
  const swaps = ids.map((id) => swap({ walletId: id, quantity: 100 + id / 10, time: NOW - 3_600 + id }))
  const clusters = clusterToken(token({ holders, swaps }))
  expect(new Set(ids.map((id) => clusters?.get(id)))).toEqual(new Set([1]))
  const old = holders.map((it) => ({ ...it, firstSeenAt: NOW - 90 * 86_400 }))
  expect(clusterToken(token({ holders: old, swaps }))?.size).toBe(0)
})

test('without known links, clusters are unknown and no flag is set', () => {
  expect(clusterToken(token({ links: null }))).toBeNull()
  expect(scoreToken(token({ links: null })).measures.clusterSupplyShare).toBeNull()
})

test('a map of clusters has their shares, their largest holders first, and the links that join them, in any order', () => {
  const ring = Array.from({ length: 9 }, (_, at) => holder(10 + at, 0.03 + at / 1000, { firstFunderId: 99 }))
  const strangers = Array.from({ length: 30 }, (_, at) => holder(100 + at, 0.01))
  const links = [
    { fromId: 10, toId: 11, kind: 'native' as const },
    { fromId: 11, toId: 12, kind: 'token' as const },
    // It closes a circle.
    { fromId: 12, toId: 10, kind: 'token' as const },
  ]
  const mapOf = (turned: boolean) => {
    const facts = token({ holders: [...strangers, ...ring], links: turned ? links.toReversed() : links })
    return toTokenScore(facts).clusterMap
  }
  const map = mapOf(false)
  expect(mapOf(true)).toEqual(map)
  expect(map?.clusters).toHaveLength(1)
  const [cluster] = map?.clusters ?? []
  expect(cluster).toMatchObject({ walletCount: 9, isFlagged: true, walletIds: [18, 17, 16, 15, 14, 13, 12, 11, 10] })
  expect(cluster?.heldShare).toBeCloseTo(0.306, 6)
  // Nine wallets and their funder are joined by nine links.
  expect(map?.links).toHaveLength(9)
  expect(map?.links[0]).toEqual({ fromId: 10, toId: 11, kind: 'native' })
  expect(map?.links.filter(({ kind }) => kind === 'funder')).toHaveLength(8)
  expect(toTokenScore(token({ links: null })).clusterMap).toBeNull()
})
