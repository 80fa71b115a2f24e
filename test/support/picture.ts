// `npm run picture`: takes the picture of the page for README.md, from a demo that is running at PAGE (default
// http://127.0.0.1:4000), in the Chromium that CHROMIUM names.
import { chromium } from 'playwright-core'

const { PAGE = 'http://127.0.0.1:4000', CHROMIUM = '/usr/bin/chromium', SYMBOL = 'EXODUS' } = process.env
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 780 }, locale: 'en-US' })
await page.goto(PAGE)
await page.getByRole('link', { name: SYMBOL, exact: true }).click()
await page.locator('.chart canvas').first().waitFor()
await page.mouse.move(0, 0)
// The fonts and the chart's last frame.
await page.waitForTimeout(1_000)
await page.screenshot({ path: 'docs/page.png' })
await browser.close()
