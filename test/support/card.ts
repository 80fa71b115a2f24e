// `npm run card`: draws the picture of shared links' cards (web/card.png) from the icon and the README's picture, in
// the Chromium that CHROMIUM names.
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const { CHROMIUM = '/usr/bin/chromium' } = process.env
const ROOT = new URL('../../', import.meta.url)
const icon = readFileSync(new URL('web/icon.svg', ROOT), 'utf8')
const picture = readFileSync(new URL('docs/page.png', ROOT)).toString('base64')

const HTML = `<!doctype html><style>
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: #0e1116; color: #fff; font-family: "DejaVu Sans", sans-serif; }
  .words { position: absolute; left: 72px; top: 84px; width: 520px; }
  svg { width: 96px; height: 96px; vertical-align: middle; }
  h1 { display: inline-block; margin: 0 0 0 24px; font-size: 80px; vertical-align: middle; }
  p { margin: 44px 0 0; font-size: 36px; line-height: 1.4; color: #c3cad5; }
  img { position: absolute; left: 640px; top: 84px; width: 1060px; border-radius: 12px; }
</style><div class="words">${icon}<h1>Assay</h1>
<p>Tokens and wallets of a chain, with scores that say why</p></div>
<img src="data:image/png;base64,${picture}" />`

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(HTML)
await page.screenshot({ path: new URL('web/card.png', ROOT).pathname })
await browser.close()
