// Moves and merges events into a history until nothing is due, and dies by SIGKILL before the statement of a number.
// Arguments: the URL of the database, the folder or URL of the history, the most events of a segment, and the number.
import pg from 'pg'
import { mergeSegments, moveSegment, prepareHistory } from '../../src/indexing/move-history.ts'
import { forgetMoved, lockHistory } from '../../src/ledger/write/history.ts'
import { openStoreAt } from './history-stores.ts'

const [url = '', place = '', most = '', last = ''] = process.argv.slice(2)
// As the program reads them.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const client = new pg.Client(url)
await client.connect()
const query = client.query.bind(client) as (...given: unknown[]) => unknown
let count = 0
client.query = ((...given: unknown[]) => {
  count += 1
  if (count === Number(last)) process.kill(process.pid, 'SIGKILL')
  return query(...given)
}) as typeof client.query
const rules = { days: 0, reach: 1, blocks: 0, least: 1, most: Number(most) }
const store = openStoreAt(place, { onFault: () => {}, onRecovery: () => {} })
const deps = { store, database: { pool: client as unknown as pg.Pool }, rules, log: { info: () => {}, warn: () => {} } }
if (await lockHistory(client)) {
  const writer = store.openWriter()
  // As if hours had passed: what a killed process left is old enough to be removed.
  await prepareHistory(client, writer, store.setting, new Date(Date.now() + 7_200_000))
  let moves = true
  while (moves) {
    while ((await forgetMoved(client, 7)) > 0);
    moves = await moveSegment(deps as never, client, writer)
    while (await mergeSegments(deps as never, client, writer));
  }
  await writer.close()
  await store.close()
}
await client.end()
