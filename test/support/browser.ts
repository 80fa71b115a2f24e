// A real Chromium for tests of pages. Where there is none, such tests are skipped, and their titles say so.
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const NO_BROWSER = !existsSync(CHROMIUM)
export const SKIPPED = '(skipped where there is no Chromium)'

/** A chart with all its panes: they are drawn one after another. */
export const DRAWN_CHART = '.chart:not([aria-busy]) canvas'

/** Goes to the first chart, which is drawn when a reader comes near it, waits for its panes, and goes back. */
export async function seeChart(page: Page): Promise<void> {
  await page.locator('.chart').first().scrollIntoViewIfNeeded()
  await page.locator(DRAWN_CHART).first().waitFor()
  await page.evaluate('scrollTo(0, 0)')
}

export interface Tab {
  page: Page
  /** The page's complaints: errors, warnings of the console, violated policies. */
  problems: string[]
  /** Hosts that it asked. */
  hosts: Set<string>
  /** The addresses that it asked. */
  addresses: string[]
}

interface TabOptions {
  dark?: boolean
  locale?: string
}

/** A browser for the tests of a file; the returned function opens a tab with its own storage, which further tabs of its context share. */
export function openBrowser(): (size: { width: number; height: number }, options?: TabOptions) => Promise<Tab> {
  let browser: Browser | undefined
  beforeAll(async () => {
    if (!NO_BROWSER) browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  })
  afterAll(() => browser?.close())
  return async (viewport, { dark = false, locale = 'en-US' } = {}) => {
    if (!browser) throw new Error('there is no browser')
    const context = await browser.newContext({
      viewport,
      colorScheme: dark ? 'dark' : 'light',
      locale,
      timezoneId: 'UTC',
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    page.once('close', () => void context.close().catch(() => {}))
    const tab: Tab = { page, problems: [], hosts: new Set(), addresses: [] }
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url())
      if (protocol.startsWith('http')) tab.hosts.add(host)
      tab.addresses.push(request.url())
    })
    page.on('pageerror', (error) => tab.problems.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        tab.problems.push(`${message.text()} (${message.location().url})`)
    })
    return tab
  }
}
