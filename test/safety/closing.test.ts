// The demo's trap closes: its owner calls a function that logs nothing, and later a holder fails to sell.
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { demoRecording, indexDemo } from '../support/demo.ts'
import { createDemoChecks } from '../support/demo-checks.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const recording = demoRecording()
const [token = '', trap] = Object.entries(recording.contracts).find(([, { rule }]) => rule?.kind === 'closed') ?? []
const closing = trap?.rule?.from ?? 0
/** The first transaction about the token that left no log, by nobody who may sell. */
const failed = recording.blocks.findIndex(
  ({ transactions, logs }, number) =>
    number >= closing &&
    transactions.some(
      ({ from, input }, at) =>
        input.includes(token.slice(2)) && !trap?.rule?.free.includes(from) && !logs.some((log) => log.at === at),
    ),
)

const database = await createTestDatabase()
let head = closing - 1
await indexDemo(database, head)
const checks = createDemoChecks(database, () => head)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

async function isSellable(): Promise<unknown> {
  await graph.head.refresh()
  const { data } = await graph.execute(`{ token(address: "${token}") { sellCheck { sellable } } }`, {}, SOMEBODY)
  return (data as { token: { sellCheck: { sellable: unknown } } }).token.sellCheck.sellable
}

test('within two blocks of the first sale that fails, the API says that the token cannot be sold', async () => {
  expect(failed).toBeGreaterThanOrEqual(closing)
  await checks.run()
  expect(await isSellable()).toBe(true)
  for (head = closing; head <= failed + 2; head++) {
    await indexDemo(database, head, checks.note)
    await checks.run()
    if ((await isSellable()) === false) break
  }
  expect(head).toBeLessThanOrEqual(failed + 2)
})
