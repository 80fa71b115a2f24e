import { expect, test } from 'vitest'
import { readTokenFolder } from '../../research/labels/folder.ts'
import type { TokenHistory } from '../../research/labels/history.ts'
import { createLeftOut } from '../../research/labels/left-out.ts'
import { readRugEthereum } from '../../research/labels/rug-ethereum.ts'
import { readRugPolygon } from '../../research/labels/rug-polygon.ts'
import { replayToken } from '../../research/replay/replay.ts'
import { PROTOCOLS, takeSnapshots } from '../../research/replay/snapshots.ts'
import { createRandom } from '../../research/statistics/metrics.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { writeRugEthereum, writeRugPolygon } from './labelled-folder.ts'

const polygon = readRugPolygon(writeRugPolygon(), createLeftOut())
const ethereum = readRugEthereum(writeRugEthereum(), createLeftOut())

const rugOf = (histories: TokenHistory[], kind: 'liquidity' | 'dump') =>
  histories.find((history) => history.rug?.kind === kind) as TokenHistory & { rug: { block: number; time: number } }

test.each(PROTOCOLS)('the snapshots of %s contain nothing from the rug on', (protocol) => {
  for (const histories of [polygon, ethereum]) {
    for (const { history, facts } of takeSnapshots(histories, protocol, createRandom(1))) {
      expect(facts.block.number).toBeLessThan(history.rug?.block ?? Number.POSITIVE_INFINITY)
    }
  }
})

test('tokens that were rugged before a fixed age are not judged at that age', () => {
  const late = takeSnapshots(polygon, '72h', createRandom(1))
  expect(late.filter((snapshot) => snapshot.history.rug)).toEqual([])
})

test('the aligned protocol pairs each rug with a healthy token of the same age', () => {
  const snapshots = takeSnapshots(polygon, 'aligned', createRandom(1))
  for (let at = 0; at < snapshots.length; at += 2) {
    expect(snapshots[at]?.positive).toBe(true)
    expect(snapshots[at + 1]?.positive).toBe(false)
    expect(snapshots[at + 1]?.ageHours).toBe(snapshots[at]?.ageHours)
  }
})

test('a rug block that the source has rounded is found among the events near it', () => {
  const history = rugOf(ethereum, 'liquidity')
  expect(history.rug.block % 10).toBe(3)
  expect(replayToken(history, { time: history.rug.time, beforeBlock: history.rug.block }).liquidityUsd).toBeGreaterThan(
    1,
  )
})

test('liquidity_pulled is set by the rug and not before', () => {
  for (const histories of [polygon, ethereum]) {
    const { rug, ...history } = rugOf(histories, 'liquidity')
    const before = replayToken({ ...history, rug }, { time: rug.time, beforeBlock: rug.block })
    const after = replayToken({ ...history, rug }, { time: rug.time + 60, beforeBlock: rug.block + 1 })
    expect(scoreToken(before).flags).not.toContain('liquidity_pulled')
    expect(scoreToken(after).flags).toContain('liquidity_pulled')
  }
})

test('a replay sees the opener’s other pools up to the cut, and nothing later', () => {
  const { rug, ...sibling } = rugOf(ethereum, 'liquidity')
  const own = ethereum.find((one) => !one.rugged) as TokenHistory
  const history = { ...own, siblings: [{ ...sibling, rug, siblings: [] }] }
  const opener = (time: number, beforeBlock = Number.POSITIVE_INFINITY) =>
    replayToken(history, { time, beforeBlock }).pools[0]?.opener
  expect(opener(sibling.createdAt - 1)).toEqual({ poolCount: 0, emptiedCount: 0 })
  expect(opener(rug.time)).toEqual({ poolCount: 1, emptiedCount: 0 })
  expect(opener(rug.time + 60, rug.block)).toEqual({ poolCount: 1, emptiedCount: 0 })
  expect(opener(rug.time + 60)).toEqual({ poolCount: 1, emptiedCount: 1 })
  expect(replayToken(history, { time: rug.time }).pools[0]?.openingQuote).toBe(10)
})

test('tokens with the same opener are siblings of each other', () => {
  const histories = readTokenFolder(writeRugEthereum(), createLeftOut())
  expect(histories.map((one) => one.siblings.length)).toEqual(histories.map(() => 0))
  const shared = readTokenFolder(
    writeRugEthereum(6, () => 1),
    createLeftOut(),
  )
  expect(shared.map((one) => one.siblings.map(({ id }) => id).sort())).toEqual(
    shared.map((one) => shared.flatMap(({ id }) => (id === one.id ? [] : [id])).sort()),
  )
})

test('pool shares sent to an address that never added liquidity count as locked', () => {
  const [history] = polygon.filter((one) => one.rugged)
  const [mint] = history?.events ?? []
  if (!history || !mint) throw new Error('the folder holds no rug')
  const lock = { ...mint, wallet: mint.recipient, recipient: 999_999, time: mint.time + 30, block: mint.block + 15 }
  const locked = { ...history, events: [...history.events, lock].sort((a, b) => a.block - b.block) }
  const shareOf = (one: TokenHistory) =>
    scoreToken(replayToken(one, { time: one.createdAt + 3_600 })).measures.exitShare
  expect(shareOf(history)).toBe(1)
  expect(shareOf(locked)).toBe(0)
})

test('renumbering the wallets changes no score', () => {
  const [history] = polygon
  if (!history) throw new Error('the folder is empty')
  const burn = history.burnAddresses
  const rename = (id: number | null) => (id === null || burn.has(id) ? id : 1_000_000 - id)
  const renamed = {
    ...history,
    pool: rename(history.pool) ?? 0,
    events: history.events.map((event) => ({
      ...event,
      wallet: rename(event.wallet),
      recipient: rename(event.recipient),
    })),
  }
  const at = { time: history.createdAt + 86_400 }
  expect(scoreToken(replayToken(renamed, at)).riskScore).toBe(scoreToken(replayToken(history, at)).riskScore)
})
