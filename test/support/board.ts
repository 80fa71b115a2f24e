// The tokens of a test's database in memory.
import { systemClock } from '../../src/base/clock.ts'
import { type BoardFeed, createBoardFeed } from '../../src/board/feed.ts'
import type { HeadWatch } from '../../src/ledger/head.ts'
import { silentLog } from './access.ts'
import type { TestDatabase } from './database.ts'

/** A board that is loaded, and follows until its head stops. */
export async function openBoard(database: TestDatabase, head: HeadWatch): Promise<BoardFeed> {
  const board = createBoardFeed({ database, head, clock: systemClock, log: silentLog })
  await board.settle()
  return board
}

/** A board that never moves, for streams that need none. */
export const stillBoard: Pick<BoardFeed, 'follow' | 'newest' | 'onMove' | 'isLoaded'> = {
  follow: () => () => {},
  onMove: () => () => {},
  isLoaded: () => false,
  newest: () => {
    throw new Error('there is no board')
  },
}
