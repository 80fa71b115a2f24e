// Rolls the tables back to an earlier block that is still in the window: restores changed rows, and deletes newer ones.

import { StartupError } from '../../base/errors.ts'
import type { BlockRef } from '../../chain/event.ts'
import type { pg } from '../../database/client.ts'
import { transactOn } from '../../database/transaction.ts'
import { noteReorg } from '../reorg.ts'
import { requeueScores, restoreImages } from '../undo.ts'
import { announce, emptyBlock, readBlocks } from './cursor.ts'

/** Undoes every block after `to` in one transaction. Throws a `StartupError` if `to` is not in the window. */
export async function rollback(client: pg.ClientBase, to: BlockRef, startBlock: number): Promise<void> {
  await transactOn(client, () => undoAfter(client, to, startBlock))
}

async function undoAfter(client: pg.ClientBase, to: BlockRef, startBlock: number): Promise<void> {
  const blocks = await readBlocks(client)
  const target = blocks.find((block) => block.number === to.number)
  const { rows } = await client.query<{ finalized: number }>('SELECT finalized FROM chain')
  const isEmpty = to.number < startBlock && (blocks[0]?.number ?? 0) > (rows[0]?.finalized ?? -1)
  if (target ? target.hash !== to.hash : !isEmpty) {
    throw new StartupError(
      `The chain was reorganised to block ${to.number}, beyond what can be undone (oldest: ${blocks[0]?.number ?? 'none'}): run \`assay reindex\` to index it anew.`,
    )
  }
  const { counts, time } = target ?? emptyBlock()
  await noteReorg(client, to.number, counts[0])
  await restoreImages(client, to.number)
  await client.query('DELETE FROM event WHERE n > $1', [counts[0]])
  await client.query('DELETE FROM token_block WHERE block_number > $1', [to.number])
  await requeueScores(client, to.number, time)
  await client.query('DELETE FROM undo WHERE block_number > $1', [to.number])
  await client.query('DELETE FROM block WHERE number > $1', [to.number])
  await client.query(announce(to.number))
}
