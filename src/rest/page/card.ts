// The head of the page's HTML at each address: the title, and the card that a chat or network shows for a shared link.
// It has the kind of the page and the address, and no data that needs a key.

/** The place of this page's card in the built HTML. */
const PLACE = /<title>[\s\S]*<!-- card -->/

/** The page of links in mails. */
export const SIGNUP_PAGE = /^\/signup$/

const CARDS: readonly (readonly [path: RegExp, title: (address: string) => string, description: string])[] = [
  [/^\/$/, () => 'Tokens', 'The tokens of a chain: price, liquidity, holders, and a risk that says why.'],
  [
    /^\/token\/(0x[0-9a-f]{40})$/i,
    (address) => `Token ${shorten(address)}`,
    'Its value, its holders, who can withdraw its liquidity, and the reasons for its risk.',
  ],
  [
    /^\/wallet\/(0x[0-9a-f]{40})$/i,
    (address) => `Wallet ${shorten(address)}`,
    'Its profit and where it came from, its holdings, and the quality of its trades.',
  ],
  [/^\/wallets$/, () => 'Wallets', 'A leaderboard of accounts: by reputation, profit or swaps.'],
  [
    /^\/compare$/,
    () => 'Compare',
    'The change of the prices of up to four tokens since a common start, and their numbers.',
  ],
  [
    /^\/alerts$/,
    () => 'Alerts',
    'Saved filters that send a mail, call a webhook or write to a chat when a token begins to match.',
  ],
  [/^\/account$/, () => 'Account', 'The keys of your account, its usage by day and route, its streams and limits.'],
  [SIGNUP_PAGE, () => 'Sign up', 'A Free key for whoever proves a mail address.'],
  [
    /^\/status$/,
    () => 'Status',
    'The newest block, the newest final block, the lag of the index, and the waiting work.',
  ],
]

const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`.toLowerCase()

/** The paths of the page. */
export const PAGE_PATHS = CARDS.map(([path]) => path)

/** A host in the form of a browser; any other text stays out of the addresses that we write. */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/i

/** `https://host` of a request, or nothing for an invalid Host header: then the card has only paths. */
export const serverOf = (protocol: string, host: string | undefined): string =>
  host !== undefined && HOST.test(host) ? `${protocol}://${host}` : ''

/** The HTML with title and card of a path. `origin`: the beginning of the addresses in the card. */
export function withCard(html: string, path: string, origin: string, image: string): string {
  for (const [pattern, title, description] of CARDS) {
    const match = pattern.exec(path)
    if (match)
      return html.replace(PLACE, () =>
        head({ title: `${title(match[1] ?? '')} · Assay`, description, origin, path, image }),
      )
  }
  return html
}

interface Card {
  title: string
  description: string
  origin: string
  path: string
  image: string
}

const head = ({ title, description, origin, path, image }: Card): string =>
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
