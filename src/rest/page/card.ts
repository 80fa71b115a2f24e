// What stands in the head of the page's HTML at each of its addresses: the title, and the card that a chat or a network shows
// of a shared link. It tells the kind of the page and the address, and nothing that asks for a key.

/** Where the card of this kind of page stands in the built HTML. */
const PLACE = /<title>[\s\S]*<!-- card -->/

const CARDS: readonly (readonly [path: RegExp, title: (address: string) => string, description: string])[] = [
  [/^\/$/, () => 'Tokens', 'The tokens of a chain: price, liquidity, holders, and a risk that says why.'],
  [
    /^\/token\/(0x[0-9a-f]{40})$/i,
    (address) => `Token ${shorten(address)}`,
    'What it is worth, who holds it, who can take its liquidity away, and why its risk is what it is.',
  ],
  [
    /^\/wallet\/(0x[0-9a-f]{40})$/i,
    (address) => `Wallet ${shorten(address)}`,
    'Its profit and how it came about, what it holds, and how good its trades were.',
  ],
  [/^\/wallets$/, () => 'Wallets', 'A leaderboard of accounts: by reputation, profit or swaps.'],
  [/^\/alerts$/, () => 'Alerts', 'Saved filters that send a mail or call a webhook when a token begins to match.'],
  [/^\/status$/, () => 'Status', 'The newest block, what is final, how far the index is behind, and what waits.'],
]

const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`.toLowerCase()

/** The paths of the page. */
export const PAGE_PATHS = CARDS.map(([path]) => path)

/** A host as a browser names it; anything else is no part of an address that we write. */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/i

/** `https://host` of a request, or nothing when its Host header is none: then the card has paths alone. */
export const serverOf = (protocol: string, host: string | undefined): string =>
  host !== undefined && HOST.test(host) ? `${protocol}://${host}` : ''

/** The HTML with title and card of a path. `origin`: what stands before the path in the card's addresses. */
export function withCard(html: string, path: string, origin: string, image: string): string {
  for (const [pattern, title, description] of CARDS) {
    const match = pattern.exec(path)
    if (match)
      return html.replace(PLACE, () => head(`${title(match[1] ?? '')} · Assay`, description, origin, path, image))
  }
  return html
}

const head = (title: string, description: string, origin: string, path: string, image: string): string =>
  [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    '<meta property="og:type" content="website" />',
    '<meta property="og:site_name" content="Assay" />',
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    `<meta property="og:url" content="${origin}${path.toLowerCase()}" />`,
    `<meta property="og:image" content="${origin}${image}" />`,
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    '<meta property="og:image:alt" content="Assay: tokens and wallets of a chain, with scores that say why" />',
    '<meta name="twitter:card" content="summary_large_image" />',
  ].join('\n    ')
