// A ledger that the real writer writes and rolls back while processes serve it. It has a market with two tokens, and a
// function that lets blocks arrive.
import { afterAll, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { BoardFeed } from '../../src/board/feed.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createGraph } from '../../src/graph/http/graph.ts'
import { createHead, type HeadWatch } from '../../src/ledger/head.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { createStreams, type StreamsDeps } from '../../src/stream/streams.ts'
import { silentLog } from './access.ts'
import { createMarket, marketPreset } from './blocks.ts'
import { openBoard, stillBoard } from './board.ts'
import { createTestDatabase } from './database.ts'
import { createDesk, openQuotes } from './ledger-desk.ts'
import { createTestServer, type TestServer, type TestServerOptions } from './rest.ts'

/** Call it at the top of a test file. Streams are looked after every 50 ms. */
export async function createLiveLedger() {
  const database = await createTestDatabase()
  const market = createMarket()
  openQuotes(market)
  const desk = createDesk(market, 1)
  const other = createDesk(market, 2)
  const lock = await acquireWriter({ database })
  const writer = createWriter({ lock, preset: marketPreset, firstBuys: FIRST_BUYS, reader: market.reader })
  await writer.open({ startBlock: 0 })
  let written = -1
  /** Writes the market's mined blocks; those up to a block are final. */
  const append = async (finalized = -1) => {
    const blocks = market.blocks.filter(({ number }) => number > written)
    written = market.blocks.at(-1)?.number ?? -1
    await writer.append({ blocks, head: written, finalized })
    await writer.settle()
  }
  /** Takes the chain back to a block. */
  const rollBack = async (to: number) => {
    market.goBack(to)
    written = to
    const block = market.blocks.at(-1)
    if (!block) throw new Error('nothing is left')
    await writer.rollback(block)
  }
  await append()
  const heads: HeadWatch[] = []
  const boards: BoardFeed[] = []
  afterAll(async () => {
    for (const board of boards) await board.stop()
    for (const head of heads) await head.stop()
    await lock.release()
  })
  /** Another process on the same database. */
  const serve = async (
    bounds: StreamsDeps['bounds'] = {},
    options: Pick<TestServerOptions, 'readDemoKey'> = {},
  ): Promise<TestServer> => {
    const head = await createHead(database, systemClock)
    heads.push(head)
    const board = await openBoard(database, head)
    boards.push(board)
    return createTestServer({
      database,
      graph: (streams) =>
        createGraph({ board, database, prisma: database.prisma, head, clock: systemClock, log: silentLog, streams }),
      streams: { head, board, bounds: { lookEveryMs: 50, ...bounds } },
      ...options,
    })
  }
  /** Streams without a server around them. */
  const openStreams = async (bounds: StreamsDeps['bounds']) => {
    const head = await createHead(database, systemClock)
    heads.push(head)
    const guard = { charge: () => Promise.reject(new Error('nothing is charged here')) }
    const streams = createStreams({
      database,
      head,
      board: stillBoard,
      guard,
      clock: systemClock,
      log: silentLog,
      ...(bounds && { bounds }),
    })
    onTestFinished(() => streams.stop())
    return streams
  }
  const newest = () => market.blocks.at(-1)?.number ?? 0
  return { database, market, desk, other, append, rollBack, newest, serve, openStreams }
}
