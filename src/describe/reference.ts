// The reference at /docs: Swagger UI over /openapi.json, with every file from this server. `web/build.mjs` copies its
// two files beside the page's; the whole package would add 12 MB to each installation.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPageFolder } from '../rest/page/page-files.ts'
import type { PublicPage } from '../rest/page/public-pages.ts'

/** Scripts come from this server alone; Swagger UI sets styles on elements, and draws its icons from data URLs. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Colours of Swagger UI that are too pale to read, and routes that are wider than a phone. */
const STYLE = `
header a, .swagger-ui a.link, .swagger-ui .info a, .swagger-ui .info .url { color: #0b57c2; }
header a { display: inline-block; padding: 4px 8px; }
.swagger-ui .info .title small { background: #4d5666; }
.swagger-ui .info .title small.version-stamp { background: #436000; }
.swagger-ui .btn.authorize { border-color: #0a7a45; color: #0a7a45; }
.swagger-ui .btn.authorize svg { fill: #0a7a45; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57c2; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0a7a45; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b64; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b01b2c; }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension, .swagger-ui .prop-format { color: #4d5666; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9b9b !important; }
@media (max-width: 760px) { .swagger-ui .response-col_links { display: none; } }
.swagger-ui .opblock-summary-path { overflow-wrap: anywhere; }
`

// Every address is relative, so that the page also works below a path of a proxy.
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay REST</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<header><a href=".">Assay: back to the page</a></header>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/**
 * Mends what Swagger UI draws, anew whenever something opens. Elements get names, headings their level, parts their
 * landmark. A link within the button of a route does what the button does, so it is none. A keyboard scrolls examples.
 */
const START = `const NAMES = {
  '.servers select': 'Server',
  '.content-type': 'Content type',
  'select': 'Value',
}
const LEVELS = { 'h3.opblock-tag': '2', '.opblock h4, .opblock h5': '3', '.models h4': '2' }
const REGIONS = { '.information-container': 'About', '.schemes-server-container': 'Server and key' }
const mend = () => {
  for (const [selector, name] of Object.entries(NAMES))
    for (const select of document.querySelectorAll(selector))
      if (select.tagName === 'SELECT' && !select.hasAttribute('aria-label')) select.setAttribute('aria-label', name)
  for (const link of document.querySelectorAll('.opblock-summary a[href]')) link.removeAttribute('href')
  for (const [selector, level] of Object.entries(LEVELS))
    for (const heading of document.querySelectorAll(selector)) heading.setAttribute('aria-level', level)
  for (const [selector, name] of Object.entries(REGIONS))
    for (const part of document.querySelectorAll(selector)) {
      part.setAttribute('role', 'region')
      part.setAttribute('aria-label', name)
    }
  for (const example of document.querySelectorAll('pre.microlight')) example.tabIndex = 0
}
new MutationObserver(mend).observe(document.getElementById('reference'), { childList: true, subtree: true })
const ui = SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  // The key of this tab, else that of the demo, which the server gives to a page on its own machine.
  onComplete: async () => {
    const given = () => fetch('demo-key', { referrerPolicy: 'same-origin' }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null)
    const key = sessionStorage.getItem('assay-key') ?? (await given())?.key
    if (key) ui.preauthorizeApiKey('key', key)
  },
})
`

const readAsset = (name: string) => (): Promise<string> =>
  readFile(join(findPageFolder() ?? '', 'reference', name), 'utf8')

export const REFERENCE: Readonly<Record<string, PublicPage>> = {
  '/docs': {
    type: 'text/html',
    read: async () => HTML,
    headers: { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' },
  },
  '/docs/start.js': { type: 'text/javascript', read: async () => START },
  '/docs/icon.svg': { type: 'image/svg+xml', read: readAsset('icon.svg') },
  '/docs/swagger-ui.css': { type: 'text/css', read: readAsset('swagger-ui.css') },
  '/docs/swagger-ui-bundle.js': { type: 'text/javascript', read: readAsset('swagger-ui-bundle.js') },
}
