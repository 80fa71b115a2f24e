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

// Every address is relative, so that the page also works below a path of a proxy.
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay REST</title>
<link rel="icon" href="docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<header><a href=".">Assay: back to the page</a></header>
<main id="reference"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** The purpose of the elements that Swagger UI draws without a name. It draws them anew whenever something opens. */
const START = `const NAMES = {
  '.servers select': 'Server',
  '.content-type': 'Content type',
  'select': 'Value',
}
const nameSelects = () => {
  for (const [selector, name] of Object.entries(NAMES))
    for (const select of document.querySelectorAll(selector))
      if (select.tagName === 'SELECT' && !select.hasAttribute('aria-label')) select.setAttribute('aria-label', name)
}
new MutationObserver(nameSelects).observe(document.getElementById('reference'), { childList: true, subtree: true })
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
