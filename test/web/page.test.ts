// The page in a real browser, over the whole server and a seeded ledger.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Explanation, Reason } from '../../src/ledger/explanation.ts'
import { packExplanation } from '../../src/ledger/explanation-pack.ts'
import { notifyHead } from '../../src/ledger/head.ts'
import { saveReport } from '../../src/ledger/safety/save.ts'
import { saveVouch } from '../../src/ledger/safety/vouch.ts'
import type { Power, SafetyReport } from '../../src/safety/report.ts'
import '../../web/build.mjs'
import { audit } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, SKIPPED, seeChart, type Tab } from '../support/browser.ts'
import { CHAT_URLS } from '../support/chat-services.ts'
import { SAMPLE_EXPLANATION } from '../support/explanation.ts'
import { createCode } from '../support/safety-report.ts'
import { HEAD_NUMBER, HEAD_TIME, walletAddress } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

const keys: { demo: string | null } = { demo: null }
const served = await createServed({ readDemoKey: async () => keys.demo })
const { url, database } = served
keys.demo = (await served.knock({ plan: 'api' })).key
const token = served.seeded.tokens[9]!.address
const HOSTILE = '<img src=x onerror=alert(1)>\u202e'
await database.pool.query('UPDATE token SET name = $1 WHERE address = $2', [HOSTILE, token])
const named = served.seeded.tokens[5]!.address
await database.pool.query(`UPDATE token SET name = 'Marmalade' WHERE address = $1`, [named])
/** A process that read the tokens with these names. */
const later = await served.another()
const SWAPS =
  '{ wallets(filter: { kinds: [account] }, orderBy: { field: trade_count }, first: 1) { nodes { address } } }'
const at = (hoursAgo: number) => new Date((HEAD_TIME - hoursAgo * 3_600) * 1_000).toISOString()
// In the hours that the chart shows: two points of the history, and liquidity that came twice within an hour, and left.
await database.pool.query(
  `UPDATE score_point p SET time = v.time::timestamptz, level = v.level, flags = v.flags::text[]
   FROM (VALUES ($2::int, $4, 'medium', '{wash_trading}'), ($3::int, $5, 'high', '{liquidity_pulled}')) AS v (block, time, level, flags)
   WHERE kind = 1 AND id = $1 AND block_number = v.block`,
  [10, HEAD_NUMBER - 2, HEAD_NUMBER - 1, at(2.5), at(1.5)],
)
await database.pool.query(
  `UPDATE event e SET time = $2, amount_usd = v.amount FROM (VALUES (2, 1, 20000), (2, 2, 4700), (3, 1, 500)) AS v (type, n, amount)
   WHERE token_id = $1 AND e.type = v.type AND token_type_n = v.n`,
  [10, at(1.2)],
)
// Its hours have prices in another token, too.
await database.pool.query(
  'UPDATE token_hour SET quote_id = 1, open_quote = 0.1, high_quote = 0.3, low_quote = 0.05, close_quote = 0.2 WHERE token_id = 10',
)
const open = openBrowser()

const trap = served.seeded.tokens[8]!.address
const SAID: Omit<Reason, 'kind' | 'name' | 'severity' | 'points' | 'text'> = {
  ...{ topic: 'sale', dimension: 'capability', since: null, block: null },
}
const POWER: Power = {
  ...{
    kind: 'pause',
    function: 'pause()',
    contract: trap as Power['contract'],
    holder: walletAddress(3) as Power['contract'],
    holderKind: 'account',
  },
  ...{ renounced: false, delaySeconds: 0, hidden: true, proven: true, call: null },
}
const REPORT: SafetyReport = {
  token: trap as SafetyReport['token'],
  checkedAt: HEAD_TIME - 180,
  sellCheck: {
    ...{ status: 'checked', sellable: false, buyable: true, buyTaxPct: 1, sellTaxPct: 60, measuredSellTaxPct: null },
    ...{ holdersTried: 8, holdersBlocked: 7, checkedBlock: HEAD_NUMBER - 15, method: 'override', reason: null },
    ...{ refusal: 'not <b>open</b>\u202e', call: null },
  },
  powers: [POWER, { ...POWER, kind: 'mint', renounced: true }],
  ...{
    powersTried: 'all' as const,
    powersRead: ['the token: 9 functions'],
    code: createCode(walletAddress(3)),
    balancesDiffer: null,
    multiplier: null,
    logs: null,
    floor: 95,
    complete: true,
    calls: 9,
  },
  findings: [{ name: 'late_mint', strength: 70, numbers: { pct: 55 }, power: null, call: null }],
}
const sellable = served.seeded.tokens[7]!.address
const SELLABLE: SafetyReport = {
  ...REPORT,
  sellCheck: { ...REPORT.sellCheck, sellable: true, sellTaxPct: 12, holdersBlocked: 0, refusal: '' },
  ...{ powers: null, findings: [], floor: 0 },
}
const sent = served.seeded.tokens[11]!.address
const SENT: SafetyReport = {
  ...SELLABLE,
  sellCheck: {
    ...SELLABLE.sellCheck,
    ...{ method: 'transfer', buyTaxPct: null, sellTaxPct: null, measuredSellTaxPct: 0 },
  },
  powers: [],
  findings: [
    { name: 'spends_without_allowance', strength: 70, numbers: {}, power: null, call: null },
    { name: 'balances_gone', strength: 95, numbers: { differ: 6, asked: 10 }, power: null, call: null },
  ],
}
for (const [address, report] of [
  [trap, REPORT],
  [sellable, SELLABLE],
  [sent, SENT],
] as const)
  await inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [address])
    await saveReport(client, rows[0]?.id ?? 0, report, { number: HEAD_NUMBER, time: HEAD_TIME })
  })
/** What the score says of a token that cannot be sold. */
const STUCK: Explanation = {
  ...SAMPLE_EXPLANATION,
  ...{ headline: 'Do not buy: some of its holders are locked in.', base: 20, score: 95 },
  reasons: [
    { ...SAID, kind: 'danger', name: 'cannot_sell', severity: 75, points: 60, text: '7 of 8 holders could not sell' },
    {
      ...SAID,
      kind: 'danger',
      name: 'late_mint',
      severity: 70,
      points: 10,
      text: '55 % of the supply was minted late',
    },
    { ...SAID, kind: 'caution', name: 'opening', severity: 5, points: 5, text: 'Opened by a script' },
    { ...SAID, kind: 'comfort', name: 'wash', severity: 0, points: -3, text: 'No wash trading was found' },
    { ...SAID, kind: 'fact', name: 'pace', severity: 0, points: 3, text: 'The last trade was 70 minutes ago' },
  ],
}
await database.pool.query('UPDATE token_score SET risk_score = 95, explanation = $2 WHERE token_id = $1', [
  served.seeded.tokens[8]!.id,
  JSON.stringify(packExplanation(STUCK)),
])
await database.pool.query('UPDATE token SET risk_score = 95 WHERE address = $1', [trap])
// The operator vouches for one of them, a list knows the wallets that hold it, and its deployer pulled an earlier token.
await saveVouch(database.pool, {
  ...{ address: sent as Power['contract'], reason: 'we know its team' },
  ...{ source: 'https://example.com/audit', since: new Date() },
})
await database.pool.query(
  `INSERT INTO wallet_label (address, source, kind, name, licence, confidence, dated)
   SELECT address, 'open_labels', 'exchange', 'Binance 14', 'CC0-1.0', 0.9, '2026-01-01' FROM wallet`,
)
await database.pool.query('UPDATE position SET pulled_usd = 500 WHERE token_id = 1 AND wallet_id = 3')
// Three of its wallets belong together: one paid another, and a wallet without a holding funded two.
await database.pool.query('UPDATE token_score SET clusters = $1 WHERE token_id = 10', [
  JSON.stringify({
    clusters: [{ walletCount: 3, heldShare: 0.2, outsideShare: 0.4, isFlagged: true, walletIds: [4, 5, 7] }],
    links: [
      { fromId: 4, toId: 5, kind: 'native' },
      { fromId: 5, toId: 58, kind: 'funder' },
      { fromId: 7, toId: 58, kind: 'funder' },
    ],
  }),
])
await database.pool.query('INSERT INTO link (from_id, to_id, kind, block_number) VALUES (4, 5, 1, 9876)')
await notifyHead(database.pool)

/** Runs a program with the key, and returns its output. */
const run = async (file: string, args: string[]): Promise<string> =>
  (await promisify(execFile)(file, args, { env: { ...process.env, KEY: keys.demo ?? '' } })).stdout

/** Nothing that axe finds in either colour scheme, no complaint, nothing from elsewhere, no key in an address, nothing wider than the screen. */
async function expectCalm({ page, problems, hosts, addresses }: Tab): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await audit(page)).toEqual([])
  // The other scheme changes colours and nothing else.
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await audit(page, { rules: ['color-contrast'] })).toEqual([])
  expect(problems).toEqual([])
  expect([...hosts]).toEqual([new URL(url).host])
  expect(addresses.filter((address) => address.includes('assay_'))).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

/** Nothing of the table has to be scrolled to sideways. */
async function expectWholeTable(page: Page, name: string): Promise<void> {
  const hidden = await page
    .getByRole('region', { name, exact: true })
    .last()
    .evaluate((region: { scrollWidth: number; clientWidth: number }) => region.scrollWidth - region.clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
}

describe.skipIf(NO_BROWSER)(`the page in a browser ${SKIPPED}`, () => {
  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)(
    'shows tokens, a token, wallets, a wallet, alerts and the status on a %s, and axe finds nothing',
    async (_, size) => {
      const tab = await open(size)
      const { page } = tab
      await page.goto(url)
      await page.getByRole('row').nth(10).waitFor()
      expect(await page.title()).toBe('Tokens · Assay')
      await expectCalm(tab)
      await expectWholeTable(page, 'Table of tokens')
      await page.goto(`${url}/token/${token}`)
      await page.getByRole('heading', { name: 'Largest holders' }).waitFor()
      await seeChart(page)
      await page.getByRole('heading', { name: 'Pools and locks' }).waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      await page.getByRole('region', { name: 'Table of prices' }).waitFor()
      await expectCalm(tab)
      await page.goto(`${url}/wallets`)
      await page.getByRole('row').nth(5).waitFor()
      await expectCalm(tab)
      await expectWholeTable(page, 'Table of wallets')
      await page.goto(`${url}/wallet/${walletAddress(5)}`)
      await page.getByRole('heading', { name: 'Reputation' }).waitFor()
      await page.getByRole('heading', { name: 'Profit over time' }).waitFor()
      expect(
        await page.getByRole('group', { name: 'Length of a point' }).getByRole('button').allTextContents(),
      ).toEqual(['1 h', '4 h', '1 day'])
      await page.getByRole('button', { name: 'Closed' }).click()
      await page
        .getByText('It has closed no position.')
        .or(page.getByRole('columnheader', { name: 'Realised' }))
        .first()
        .waitFor()
      await expectCalm(tab)
      await page.goto(`${url}/status`)
      await page.getByText('Final up to').waitFor()
      await expectCalm(tab)
      await page.goto(`${url}/alerts`)
      await page.getByText('There is no alert yet.').waitFor()
      await expectCalm(tab)
      await page.close()
    },
  )

  test.each([
    ['desktop', { width: 1440, height: 900 }],
    ['tablet', { width: 768, height: 1024 }],
    ['phone', PHONE],
  ] as const)(
    'shows on a %s what a trader needs in the first screen: price, verdict, trades, chart',
    async (_, size) => {
      const tab = await open(size)
      const { page } = tab
      await page.goto(`${url}/token/${trap}`)
      const verdict = page.getByRole('region', { name: 'Verdict' })
      await verdict.waitFor()
      await seeChart(page)
      const boxOf = async (part: Locator) => (await part.boundingBox())!
      const [name, judged] = [await boxOf(page.getByRole('heading', { level: 1 })), await boxOf(verdict)]
      // Nothing stands between the name, with the price beside it, and the headline.
      expect(judged.y - name.y - name.height).toBeLessThan(20)
      expect(await verdict.innerText()).toMatch(/^95 critical Do not buy: some of its holders are locked in\./)
      const price = await boxOf(page.locator('.price').first())
      expect(price.y).toBeLessThan(judged.y)
      for (const part of [page.getByText('Buys 24 h').first(), page.getByText('Sells 24 h').first()])
        expect((await boxOf(part)).y).toBeLessThan(size.height)
      expect((await boxOf(page.locator('.chart').first())).y).toBeLessThan(size.height - 40)
      await expectCalm(tab)
      await page.close()
    },
  )

  test('shows the verdict in colours of its kinds: at most three findings on top, all of them in one list', async () => {
    const { page } = await open(DESKTOP)
    await page.goto(`${url}/token/${trap}`)
    const main = page.getByRole('list', { name: 'Main findings' }).getByRole('listitem')
    await main.first().waitFor()
    const told = async (items: Locator) =>
      Promise.all(
        (await items.all()).map(async (one) => [
          await one.getAttribute('class'),
          (await one.innerText()).replace(/\s+/g, ' '),
        ]),
      )
    expect(await told(main)).toEqual([
      ['finding-danger', 'Danger: 7 of 8 holders could not sell'],
      ['finding-danger', 'Danger: 55 % of the supply was minted late'],
      ['finding-caution', 'Caution: Opened by a script'],
    ])
    // What became of labelled tokens of the same level stands beside it.
    const alike = page.getByRole('region', { name: 'Verdict' }).locator('.alike')
    expect(await alike.innerText()).toMatch(/^(Of|Unproven: of only) \d+ tokens? of this level at an age of .* pulled/)
    // Nothing else on the page answers the same question by another number.
    await page.getByRole('list', { name: 'The score as a sum' }).waitFor()
    expect((await page.locator('main').innerText()).match(/fell by 90 % within 30 days|tokens like it/g)).toHaveLength(
      1,
    )
    const all = page.getByRole('list', { name: 'The score as a sum' }).locator('[class^=finding-]')
    expect((await told(all)).map(([kind]) => kind)).toEqual([
      'finding-danger',
      'finding-danger',
      'finding-caution',
      'finding-comfort',
      'finding-fact',
    ])
    await page.close()
  })

  test('tells what a check found as plain lines, without a judgement of its own, and unknown answers in grey', async () => {
    const { page } = await open(DESKTOP)
    const box = page.getByRole('region', { name: 'Checks' })
    const lineOf = (text: RegExp) => box.locator('dd', { hasText: text }).first()
    const isGrey = async (text: RegExp) => (await lineOf(text).getAttribute('class')) === 'faint'
    await page.goto(`${url}/token/${trap}`)
    for (const text of [
      /^No: 7 of 8 holders could not sell at block/,
      /^Tax in: 1 % \(trial\). Tax out: 60 % \(trial\)/,
      /^Checked 15 blocks \/ 3 minutes ago by sales/,
      /can pause transfers without notice, which its contract hides/,
      /^Renounced: nobody is left who could mint/,
    ])
      expect(await isGrey(text)).toBe(false)
    expect(await box.getByText('Its contract said').textContent()).toContain('not <b>open</b>\ufffd')
    await page.goto(`${url}/token/${sellable}`)
    expect(await isGrey(/^Sellable by 8 of 8 holders at block/)).toBe(false)
    expect(await isGrey(/^Tax in: 1 % \(trial\). Tax out: 12 % \(trial\)/)).toBe(false)
    expect(await isGrey(/^Code not looked into/)).toBe(true)
    await page.goto(`${url}/token/${sent}`)
    for (const text of [
      /^8 of 8 holders could send it to the pool at block [\d,]+; no trade was tried/,
      /^Tax in: unknown. Tax out: 0 % \(real sales\)/,
      /vouches for it: “.*its team.*”, source: .*https:\/\/example.com\/audit/,
      /^Deployed by .*Binance 14/,
      /^Pulled 1 of its 11 earlier tokens: T1\./,
      /^Its others are not pulled: T\d+ \(/,
    ])
      expect(await isGrey(text)).toBe(false)
    await page.goto(`${url}/token/${token}`)
    expect(await isGrey(/^Not checked: it has under/)).toBe(true)
    // The lines have no other class: no colour of a danger, and none of its absence.
    expect(await box.locator('dd[class]:not(.faint)').count()).toBe(0)
    await page.close()
  })

  test('shows the score as a sum of its base and all points, and what lists say of holders', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/token/${sent}`)
    const sum = page.getByRole('list', { name: 'The score as a sum' })
    await sum.waitFor()
    // The base, the points of each reason, the score: as stored.
    expect(await sum.locator('.number').allTextContents()).toEqual(['47.50', '+37.50', '88.00'])
    await page.getByRole('region', { name: 'Holders' }).getByText('Binance 14').first().waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([1440, 390])('tells in the table, %i pixels wide, the verdict of each token', async (width) => {
    const { page } = await open({ width, height: 900 })
    await page.goto(url)
    const rowOf = (address: string) =>
      page.getByRole('row').filter({ has: page.locator(`a[href="/token/${address}"]`) })
    await rowOf(trap).getByText('95 critical').waitFor()
    await rowOf(trap).getByText('Do not buy: some of its holders are locked in.').waitFor()
    const notScored = served.seeded.tokens.at(-3)!.address
    await rowOf(notScored).getByText('Not scored yet.').waitFor()
    await rowOf(notScored).getByText('unknown', { exact: true }).waitFor()
    await page.close()
  })

  test('marks liquidity, flags and levels of the risk on the chart, and lists them all for readers with a keyboard', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/token/${token}`)
    await seeChart(page)
    const summary = page.getByText(/^What happened, as a list/)
    await summary.focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Marks on the chart' })
    await list.waitFor()
    const texts = (await list.getByRole('listitem').allTextContents()).map((text) => text.replace(/^.*? [AP]M /, ''))
    // They stand in their lane, one over each bar, with all that happened in it.
    const titles = await Promise.all(
      (await page.locator('.lane .mark').all()).map(async (mark) => (await mark.getAttribute('title')) ?? ''),
    )
    expect(titles.join('; ').split('; ').sort()).toEqual(texts.sort())
    expect(texts.sort()).toEqual([
      'Its liquidity was pulled',
      'Its volume is staged by wallets that trade with themselves',
      'Liquidity +$24.7k',
      'Liquidity −$500',
      'No longer: its volume is staged by wallets that trade with themselves',
      'Risk: high',
      'Risk: medium',
    ])
    expect(problems).toEqual([])
    await page.close()
  })

  test('tells the values under the crosshair, zooms by wheel and button, and keeps its form in the address', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/token/${token}`)
    await seeChart(page)
    const legend = page.locator('.legend')
    // The newest hour has no trade yet: its place has the close before it.
    expect(await legend.textContent()).toMatch(/ {3}\$2.00 {3}Volume \$0 {3}/)
    await page
      .locator('.chart')
      .first()
      .evaluate((chart: { scrollIntoView(options: object): void }) => chart.scrollIntoView({ block: 'center' }))
    const { x, y, width, height } = (await page.locator('.chart').first().boundingBox())!
    const point = async (px: number) => {
      await page.mouse.move(px, y + height / 4)
      await page.mouse.move(px + 1, y + height / 4)
      // The chart follows the pointer with its next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      return (await legend.textContent()) ?? ''
    }
    let px = x + width - 72
    const bar = /O \$1.00 {3}H \$3.00 {3}L \$0.50 {3}C \$2.00 \(\+100 %\) {3}Volume \$1.00: \$0.75 bought, \$0.25 sold/
    while (px > x && !bar.test(await point(px))) px -= 8
    const pointed = await point(px)
    expect(pointed).toMatch(bar)
    // Each turn of the wheel shows a tenth more time around the pointer.
    const left = await point(px - 24)
    await page.mouse.move(px, y + height / 4)
    for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 120)
    await expect.poll(() => point(px - 24)).not.toBe(left)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    // Its market cap is not known.
    expect(await page.getByRole('button', { name: 'Cap', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'T1', exact: true }).click()
    await page.waitForURL('**?money=quote')
    await page.getByRole('img', { name: /^Price in T1, with volume/ }).waitFor()
    await page.getByRole('button', { name: '4 h', exact: true }).click()
    await page.waitForURL('**?money=quote&interval=h4')
    await page.reload()
    await seeChart(page)
    for (const name of ['4 h', 'T1'])
      expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')).toBe('true')
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const)(
    'maps the holders on a %s, with the evidence of each link, by keyboard and as a table',
    async (_, size) => {
      const tab = await open(size)
      const { page } = tab
      await page.goto(`${url}/token/${token}`)
      await page.getByText('Largest cluster: 3 linked wallets with 20 % of the supply, 40 % of what').waitFor()
      await page.getByRole('button', { name: 'Show the map' }).click()
      const map = page.getByRole('listbox', { name: 'Map of holders' })
      await map.waitFor()
      expect(await map.locator('line').count()).toBe(3)
      // The circles of holders have areas in the ratio of their shares.
      const circles = await Promise.all(
        (await map.getByRole('option').all()).map(
          async (one) =>
            [await one.getAttribute('aria-label'), Number(await one.locator('circle').getAttribute('r'))] as const,
        ),
      )
      const shares = circles.flatMap(([label, radius]) => {
        const pct = Number(/([\d.]+) % of the supply/.exec(label ?? '')?.[1])
        return radius > 5.01 && pct >= 1 ? [radius ** 2 / pct] : []
      })
      expect(shares.length).toBeGreaterThan(1)
      expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.1)
      await map.focus()
      const detail = page.locator('.map-detail')
      const seen = new Set<string>()
      for (let step = 0; step < circles.length; step += 1) {
        await page.keyboard.press('ArrowRight')
        for (const sentence of await detail.locator('li').allTextContents()) seen.add(sentence)
      }
      const told = [...seen].sort().map((sentence) => sentence.replaceAll(/0x\w{4}…(\w{4})/g, '$1'))
      expect(told).toEqual([
        expect.stringMatching(/^0004 sent native coin to 0005, first in block 9,876\.$/),
        expect.stringMatching(/^0005 was funded first by 003a, on .*, as 1 more of the cluster, all /),
        expect.stringMatching(/^0007 was funded first by 003a, on .*, as 1 more of the cluster, all /),
      ])
      await page.getByRole('button', { name: 'Show earlier days' }).click()
      const slider = page.getByRole('slider', { name: 'Held' })
      const [past, now] = [await slider.getAttribute('min'), await map.innerHTML()]
      expect(Number(past)).toBeLessThan(0)
      await slider.fill(String(past))
      await page.getByText('Shares are of the supply of now').waitFor()
      expect(await map.innerHTML()).not.toBe(now)
      await slider.fill('0')
      expect(await map.innerHTML()).toBe(now)
      await page.getByText('As a table').last().click()
      const table = page.getByRole('region', { name: 'Table of holders and links' })
      await expect.poll(() => table.getByRole('row').count()).toBe(circles.length + 1)
      await expectCalm(tab)
      await page.close()
    },
  )

  test('shows a contract’s text as text, with nothing hidden in it', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/token/${token}`)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    expect(await heading.textContent()).toContain('<img src=x onerror=alert(1)>\ufffd')
    expect(problems).toEqual([])
    await page.close()
  })

  test('keeps filter, order and page in the address, and alerts about the filter', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('button', { name: 'Liquidity', exact: true }).click()
    await page.getByRole('button', { name: 'Risk ≤ …' }).click()
    await page.getByRole('button', { name: 'high', exact: true }).click()
    await page.getByRole('button', { name: 'No wash' }).click()
    await page.waitForURL(
      (address) => address.search === '?sort=liquidity&max_risk_score=64.99&exclude_flags=wash_trading',
    )
    await page.getByRole('columnheader', { name: 'Liquidity' }).and(page.locator('[aria-sort=descending]')).waitFor()
    await page.getByRole('button', { name: /^Holders( .)?$/ }).click()
    await page.getByRole('button', { name: /^Holders( .)?$/ }).click()
    await page.waitForURL('**/?sort=holders&direction=asc&*')
    await page.getByRole('columnheader', { name: 'Holders' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.getByRole('button', { name: 'Liquidity', exact: true }).click()
    const rows = async () => (await page.getByRole('row').allTextContents()).length
    const { total } = (await served.ask('/tokens?sort=liquidity&max_risk_score=64.99&exclude_flags=wash_trading')).json
    await expect.poll(rows).toBe(total + 1)
    await page.getByRole('button', { name: 'Alert me' }).click()
    expect(await audit(page)).toEqual([])
    await page.getByLabel('Name').fill('Quiet ones')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The alert is active.').waitFor()
    await page.getByRole('link', { name: 'All alerts' }).click()
    await page.getByText('Risk ≤ high, no wash').waitFor()
    await page.getByRole('button', { name: 'Log' }).click()
    await page.getByText('It has sent nothing yet').waitFor()
    expect(await audit(page)).toEqual([])
    // Its conditions and its name can be changed.
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'No pulled' }).click()
    await page.getByRole('button', { name: 'Change the alert' }).click()
    await page.getByText('From now on it watches for: Risk ≤ high, no wash, no pulled.').waitFor()
    expect(await audit(page)).toEqual([])
    await page.getByLabel('New name').fill('Quieter ones')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The alert is changed.').waitFor()
    await page.getByRole('link', { name: 'All alerts' }).click()
    await page.getByRole('row', { name: /^Quieter ones Risk ≤ high, no wash, no pulled/ }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no alert yet.').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('filters by the findings of contract checks, and describes the filter in words', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('button', { name: 'Can be sold' }).click()
    await page.waitForURL('**/?sellable=true')
    const rows = () => page.getByRole('row').count()
    await expect.poll(rows).toBe(3)
    await page.locator(`a[href="/token/${sellable}"]`).first().waitFor()
    await page.getByRole('button', { name: 'Sell tax ≤ …' }).click()
    await page.getByRole('button', { name: /^10\D*%$/ }).click()
    await expect.poll(rows).toBe(2)
    await page.locator(`a[href="/token/${sent}"]`).first().waitFor()
    await page.goto(`${url}/?sellable=false&include_powers=pause`)
    await page.getByRole('button', { name: 'Cannot be sold' }).waitFor()
    await page.getByRole('button', { name: 'Somebody can pause transfers ✕' }).waitFor()
    await expect.poll(rows).toBe(2)
    await page.locator(`a[href="/token/${trap}"]`).first().waitFor()
    await page.getByRole('button', { name: 'Alert me' }).click()
    await page.getByText('begins to pass: cannot be sold, somebody can pause transfers.').waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('makes an alert that writes into a chat, and names a URL that is none of the chat', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/?max_risk_score=69`)
    await page.getByRole('button', { name: 'Alert me' }).click()
    await page.getByLabel('Send to').selectOption('Discord')
    await page.getByText('A message comes in Discord when a token begins to pass: Risk ≤ 69.').waitFor()
    await page.getByLabel('Webhook URL of Discord').fill('https://example.com/hook')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('must be a webhook of Discord').waitFor()
    await page.getByLabel('Send to').selectOption('Telegram')
    const { pathname, searchParams } = new URL(CHAT_URLS.telegram)
    await page.getByLabel('Token of the bot').fill(pathname.split('/')[1]?.slice('bot'.length) ?? '')
    await page.getByLabel('Number of the chat').fill(searchParams.get('chat_id') ?? '')
    expect(await audit(page)).toEqual([])
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The alert is active.').waitFor()
    await page.getByRole('link', { name: 'All alerts' }).click()
    await page.getByText('Telegram: never').waitFor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no alert yet.').waitFor()
    // A refused input is a 400, which the browser reports.
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
    await page.close()
  })

  test('says that an alert without a filter is about every token', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('button', { name: 'Alert me' }).click()
    await page.getByText('No filter is set, so messages come about every token.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.goto(`${url}/?max_risk_score=69`)
    await page.getByRole('button', { name: 'Alert me' }).click()
    await page.getByText('A mail comes when a token begins to pass: Risk ≤ 69.').waitFor()
    expect(await page.getByText('No filter is set').count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('keeps the order of the wallets in the address, and opens the first one', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(`${url}/wallets`)
    await page.getByRole('button', { name: 'Swaps', exact: true }).click()
    await page.waitForURL('**/wallets?sort=swaps')
    const { json } = await served.ask(`${url}/graphql?query=${encodeURIComponent(SWAPS)}`)
    const [first] = json.data.wallets.nodes
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.waitForURL(`**/wallet/${first.address}`)
    await page.goBack()
    await page.getByRole('button', { name: 'Swaps', exact: true, pressed: true }).waitFor()
    expect(problems).toEqual([])
    await page.close()
  })

  test('gives each panel as a request that works when it is pasted', async () => {
    const { page } = await open(DESKTOP)
    await page.goto(`${url}/token/${token}`)
    await page.getByRole('button', { name: 'API request of Largest holders' }).click()
    expect(await audit(page)).toEqual([])
    const text = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click()
      return (await page.locator('dialog[open] pre').textContent()) ?? ''
    }
    const answers = [
      await run('sh', ['-c', await text('curl')]),
      await run('python3', ['-c', await text('Python')]),
      await run(process.execPath, ['--input-type=module', '-e', await text('TypeScript')]),
    ]
    for (const answer of answers) expect(answer).toContain('topHolders')
    expect(await text('GraphQL')).toContain('# Variables')
    await page.goto(`${url}/status`)
    for (const [title, field] of [
      ['Status', 'finalizedBlock'],
      ['What waits', 'tokensDue'],
    ]) {
      await page.getByRole('button', { name: `API request of ${title}` }).click()
      expect(await run('sh', ['-c', await text('curl')])).toContain(`"${field}":`)
      await page.keyboard.press('Escape')
    }
    await page.goto(`${url}/account`)
    await page.getByRole('button', { name: 'API request of Account' }).click()
    expect(await run('sh', ['-c', await text('curl')])).toContain('"activeAlertCount":')
    await page.close()
  })

  test('asks for a missing key, refuses a wrong one in words, and keeps a right one for the tab alone', async () => {
    const { page, problems } = await open(PHONE)
    await page.route('**/demo-key', (route) => route.fulfill({ status: 404, body: '{}' }))
    await page.goto(url)
    await page.getByRole('textbox', { name: 'API key' }).fill('assay_live_wrong')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('The key was refused').waitFor()
    expect(await audit(page)).toEqual([])
    await page.getByRole('button', { name: 'Use another key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill(keys.demo ?? '')
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('row').nth(5).waitFor()
    await page.reload()
    await page.getByRole('row').nth(5).waitFor()
    expect(await page.evaluate('localStorage.length')).toBe(0)
    expect(problems.filter((problem) => !/40[14]/.test(problem))).toEqual([])
    await page.close()
  })

  test('suggests a fix for an unknown token, an empty filter, and a server that is gone', async () => {
    const { page } = await open(DESKTOP)
    await page.goto(`${url}/token/0x${'99'.repeat(20)}`)
    await page.getByText('is indexed. Is it a wallet?').waitFor()
    await page.goto(`${url}/?min_liquidity_usd=1e15`)
    await page.getByText('No token passes this filter.').waitFor()
    await page.route('**/graphql', (route) => route.abort())
    await page.getByRole('link', { name: 'Remove the filter' }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/graphql')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row').nth(5).waitFor()
    await page.close()
  })

  test('opens an address from the search box, and everything by keyboard', async () => {
    const { page } = await open(DESKTOP)
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.getByLabel('Search a token or an address').fill(token.toUpperCase().replace('0X', '0x'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/token/${token}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByLabel('Search a token or an address').fill(String(served.seeded.tokens[4]!.symbol))
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await page.getByRole('row').allTextContents()).length).toBe(2)
    await page.goBack()
    await page.goBack()
    await page.getByRole('row').nth(5).waitFor()
    await page.getByRole('button', { name: 'Liquidity ≥ …' }).press('Enter')
    await page.keyboard.type('5000')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/?min_liquidity_usd=5000')
    await page.close()
  })

  test('suggests tokens and wallets during typing, also after a typo', async () => {
    const { page, problems } = await open(DESKTOP)
    await page.goto(later.url)
    const box = page.getByRole('combobox', { name: 'Search a token or an address' })
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await box.pressSequentially('marmelade')
    await options.first().waitFor()
    expect(await options.first().textContent()).toContain('Marmalade')
    expect(await options.first().textContent()).toMatch(/\$.*(low|medium|high|unknown)/)
    expect([await audit(page), problems]).toEqual([[], []])
    await page.keyboard.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).toBe('suggestion-0')
    await page.keyboard.press('Escape')
    expect([await options.count(), await box.inputValue()]).toEqual([0, 'marmelade'])
    await box.press('e')
    await box.press('Backspace')
    await options.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/token/${named}`)

    await box.fill(walletAddress(1))
    await options.first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/wallet/${walletAddress(1)}`)
    expect(await options.count()).toBe(0)
    await page.close()
  })

  test.each([1440, 1024, 768, 390])(
    'shows the risk of each token without scrolling %i pixels sideways',
    async (width) => {
      const { page } = await open({ width, height: 800 })
      await page.goto(url)
      await page.getByRole('row').nth(10).waitFor()
      await expectWholeTable(page, 'Table of tokens')
      expect(await page.getByRole('columnheader', { name: 'Risk' }).isVisible()).toBe(true)
      await page.close()
    },
  )

  test('shows on a phone the verdict before the chart, all findings after it, and the conditions of an alert with a way to change them', async () => {
    const { page } = await open(PHONE)
    await page.goto(`${url}/token/${token}`)
    await seeChart(page)
    const top = async (name: string) =>
      (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Number.NaN
    const verdict = (await page.getByRole('region', { name: 'Verdict' }).boundingBox())?.y ?? Number.NaN
    expect(verdict).toBeLessThan(PHONE.height / 2)
    expect(verdict).toBeLessThan(await top('Price'))
    expect(await top('Price')).toBeLessThan(await top('Risk'))
    expect(await top('Risk')).toBeLessThan(await top('Checks'))
    expect(await top('Checks')).toBeLessThan(await top('Events'))
    await page.goto(`${url}/?max_risk_score=69`)
    await page.getByRole('button', { name: 'Alert me' }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'All alerts' }).click()
    for (const shown of [page.getByText('Risk ≤ 69').last(), page.getByRole('button', { name: 'Pause' })]) {
      const { x = -1, width = 0 } = (await shown.boundingBox()) ?? {}
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(PHONE.width)
    }
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no alert yet.').waitFor()
    await page.close()
  })

  test('goes back to where the page was scrolled, and a reload keeps the length of the candles', async () => {
    const { page } = await open({ width: 1280, height: 500 })
    await page.goto(url)
    await page.getByRole('row').nth(25).getByRole('link').first().click()
    await page.waitForURL('**/token/*')
    await page.getByRole('button', { name: '4 h', exact: true }).click()
    await page.waitForURL('**/token/*?interval=h4')
    await page.reload()
    await page.getByRole('button', { name: '4 h', exact: true, pressed: true }).waitFor()
    await page.goBack()
    await page.getByRole('row').nth(25).waitFor()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(300)
    await page.close()
  })

  test('says that a filter in the address cannot be, under its name there, and does not offer the same again', async () => {
    const { page } = await open(DESKTOP)
    await page.goto(`${url}/?max_risk_score=-5`)
    await page.getByText('max_risk_score in the address must be a number from 0 to 100.').waitFor()
    expect(
      await page
        .getByRole('alert')
        .getByText(/^Request [0-9a-f-]{36}$/)
        .count(),
    ).toBe(1)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Leave it out' }).click()
    await page.getByRole('row').nth(5).waitFor()
    await page.close()
  })

  test('changes and forgets the key on every page', async () => {
    const { page, problems } = await open(PHONE)
    await page.goto(`${url}/wallets`)
    await page.getByRole('row').nth(2).waitFor()
    const { key } = await served.knock({ plan: 'pro' })
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText('the key of the demo').waitFor()
    expect(await audit(page)).toEqual([])
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('row').nth(2).waitFor()
    expect(await page.evaluate('sessionStorage.getItem("assay-key")')).toBe(key)
    await page.getByRole('button', { name: 'Key', exact: true }).click()
    await page.getByText(`…${key.slice(-4)}`).waitFor()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.getByRole('heading', { name: 'An API key is needed' }).waitFor()
    expect(await page.evaluate('sessionStorage.getItem("assay-key")')).toBeNull()
    expect(problems).toEqual([])
    await page.close()
  })

  test('says in sight since when its numbers are stale once the server is gone or silent, and opens other pages under their names', async () => {
    const { page } = await open(PHONE)
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await page.evaluate('scrollTo(0, 1500)')
    // A server that takes the question and says nothing.
    await page.route('**/readyz', () => {})
    const note = page.getByText(/^Stale since .+The server does not answer\.$/)
    await note.waitFor()
    expect((await note.boundingBox())?.y).toBeLessThan(60)
    await page.unroute('**/readyz')
    await page.route('**/*', (route) => route.abort())
    await page.getByText('The server cannot be reached.').first().waitFor()
    await page.getByRole('link', { name: 'Wallets', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
    await page.close()
  })

  test('a page whose parts cannot be loaded says so under no other name', async () => {
    const { page } = await open(DESKTOP)
    await page.route('**/assets/later-*', (route) => route.abort())
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await page.getByRole('link', { name: 'Wallets', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.close()
  })

  test('keeps the dates of a right-to-left locale apart from the words around them', async () => {
    const { page, problems } = await open(DESKTOP, { locale: 'ar-EG' })
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    const time = (await page.locator('footer time').textContent()) ?? ''
    expect(time).toMatch(/^\u2068.*[\u0600-\u06ff].*\u2069$/)
    expect(await audit(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('marks English words, times of the reader and text of strangers as what they are', async () => {
    const { page, problems } = await open(DESKTOP, { locale: 'de-DE' })
    await page.goto(`${url}/token/${token}`)
    await page.locator('main h1 bdi').first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    const languages = (selector: string) =>
      page.locator(selector).evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('lang')))])
    expect(await languages('time')).toEqual(['de-DE'])
    expect(await languages('bdi')).toEqual([''])
    // All other text has to be English, dates in sentences and spans of time included.
    const unmarked = await page.locator('main').evaluate((main) => {
      const copy = main.cloneNode(true) as HTMLElement
      for (const time of copy.querySelectorAll('time')) time.remove()
      return copy.textContent ?? ''
    })
    expect(unmarked).toMatch(/\d (day|hour|minute|month|year)s?|\d(d|h|m|y)\b/)
    expect(unmarked).not.toMatch(/\b(Tage?|Stunden?|Minuten?|Monate?|Jahre?|Std\.|Min\.|vor \d)|\d\.\d\d\.20\d\d/)
    expect(await audit(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test('says of a pool that it is one, and judges it by no win rate', async () => {
    const { page, problems } = await open(DESKTOP)
    const pool = walletAddress(6)
    await database.pool.query(`UPDATE wallet SET kind = 'pool' WHERE address = $1`, [pool])
    await page.goto(`${later.url}/wallet/${pool}`)
    await page.getByText('This is a liquidity pool').first().waitFor()
    expect(await page.title()).toMatch(/^Pool 0x/)
    expect(await page.getByText(/win rate \d|costs \d+ points|Profit ever/i).count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  test('a visit to a page is charged once, a token with its stream twice, and a walk over all fits a minute of Free', async () => {
    const { page } = await open(DESKTOP)
    const { key } = await served.knock({ plan: 'free' })
    await page.route('**/demo-key', (route) => route.fulfill({ json: { key } }))
    const asked: string[] = []
    const answers: number[] = []
    page.on('request', (request) => {
      const name = /^(?:query|subscription) (\w+)/.exec(request.postDataJSON()?.query ?? '')?.[1]
      if (name) asked.push(name)
    })
    page.on('response', (response) => response.url().endsWith('/graphql') && answers.push(response.status()))
    // This process knows the names that suggestions are made of.
    await page.goto(later.url)
    await page.getByRole('row').nth(5).waitFor()
    const box = page.getByRole('combobox', { name: 'Search a token or an address' })
    await box.pressSequentially('marma', { delay: 30 })
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
    await box.fill('')
    await page.getByRole('row').nth(5).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Largest holders' }).waitFor()
    await page.getByText('Live: events come as they happen.').waitFor()
    await page.getByRole('link', { name: 'Wallets', exact: true }).click()
    await page.getByRole('row').nth(3).getByRole('link').click()
    await page.getByRole('heading', { name: 'Profit over time' }).waitFor()
    await page.goBack()
    await page.getByRole('row').nth(3).waitFor()
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
    await page.getByText('There is no alert yet.').waitFor()
    expect(asked).toEqual(['Tokens', 'Suggestions', 'Token', 'Live', 'Wallets', 'Wallet', 'Alerts'])
    expect(answers).toEqual(asked.map(() => 200))
    const { headers } = await served.ask(`${later.url}/graphql?query=${encodeURIComponent('{ me { plan } }')}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    // This last question is one of the minute, too.
    const left = Number(/"minute";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    expect(10 - left - 1).toBe(asked.length)
    await page.close()
  })
})
