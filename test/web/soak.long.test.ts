// A page that stays open while block after block comes: the short form of `npm run storm -- page`.
import { describe, expect, test } from 'vitest'
import '../../web/build.mjs'
import { NO_BROWSER, openBrowser, SKIPPED } from '../support/browser.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { watchPage } from '../support/page-watch.ts'

const BLOCKS = 240
const keys: { demo: string | null } = { demo: null }
const { desk, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve({}, { readDemoKey: async () => keys.demo })
keys.demo = (await server.knock({ plan: 'api' })).key
desk.buy(1, 1)
await append()
const open = openBrowser()

describe.skipIf(NO_BROWSER)(`a page that stays open ${SKIPPED}`, () => {
  test('shows every event of hundreds of blocks, some of them replaced, and does not grow', async () => {
    const { page, problems } = await open({ width: 1280, height: 800 })
    const watch = await watchPage(page)
    await page.goto(`${server.url}/token/${desk.token}`)
    await page.getByText('Live: events come as they happen.').waitFor()
    let settled = 0
    for (let block = 1; block <= BLOCKS; block += 1) {
      desk.buy(1 + (block % 5), 1)
      await append()
      if (block % 60 === 0) await rollBack(newest() - 1)
      if (block % 10 === 0) {
        const { data } = (await server.ask(`/events?token_address=${desk.token}&limit=5`)).json
        await expect.poll(() => data.every(({ id }: { id: string }) => watch.seen.has(id))).toBe(true)
      }
      if (block === BLOCKS / 3) settled = (await watch.weigh()).bytes
    }
    const { data, total } = (await server.ask(`/events?token_address=${desk.token}&type=swap&limit=200`)).json
    expect(total).toBeGreaterThan(200)
    await expect.poll(() => data.filter(({ id }: { id: string }) => !watch.seen.has(id))).toEqual([])
    // On a busy machine an answer may still be on its way.
    await expect.poll(async () => (await watch.weigh()).bytes / settled).toBeLessThan(1.2)
    // This ledger has no chain role, so it is never ready; everything else has to be right.
    expect(problems.filter((problem) => !problem.includes('503'))).toEqual([])
    await page.close()
  })
})
