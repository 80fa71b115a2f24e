// The views, by the address after #. Each asks once; the feed goes on beside them.
import { ask, charged, connect, follow, isConnected } from './ask.js'
import { candles, line } from './chart.js'
import { FEED, FIRST, LEADERS, LIST, SEARCH, TOKEN, WALLET } from './queries.js'
import { el, facts, number, percent, table, tokenLink, usd, walletLink } from './show.js'

const view = document.getElementById('view')
const feed = document.getElementById('feed')
const status = document.getElementById('status')
const say = (text) => {
  status.textContent = `${text} ${charged.requests} requests so far.`
}

/** The newest question only: an answer that comes late is not shown. */
let turn = 0
async function show(query, variables, render) {
  turn += 1
  const mine = turn
  try {
    const data = await ask(query, variables)
    if (mine !== turn) return
    view.replaceChildren(...render(data))
    say('')
  } catch (error) {
    if (mine === turn) say(error.message)
  }
}

const flip = (order, field) => ({
  field,
  direction: order.field === field && order.direction === 'desc' ? 'asc' : 'desc',
})

// Tokens

const list = { order: { field: 'volume_24h_usd', direction: 'desc' }, filter: {} }
const COLUMNS = [
  { title: 'Token', text: true, cell: tokenLink },
  { title: 'Price', field: 'price_usd', cell: ({ priceUsd }) => usd(priceUsd) },
  { title: '24 h', cell: ({ priceChange }) => percent(priceChange?.h24) },
  { title: 'Week', cell: ({ sparkline }) => spark(sparkline) },
  { title: 'Market cap', field: 'market_cap_usd', cell: ({ marketCapUsd }) => usd(marketCapUsd) },
  { title: 'Liquidity', field: 'liquidity_usd', cell: ({ liquidityUsd }) => usd(liquidityUsd) },
  { title: 'Volume 24 h', field: 'volume_24h_usd', cell: ({ volume24hUsd }) => usd(volume24hUsd) },
  { title: 'Holders', field: 'holder_count', cell: ({ holderCount }) => number(holderCount) },
  {
    title: 'Risk',
    field: 'risk_score',
    cell: ({ riskScore, riskFlags }) => `${riskScore}${riskFlags.length > 0 ? ' ⚑' : ''}`,
  },
]

function spark(points) {
  const svg = line('price over the week', points ?? [], (value) => value, false)
  svg.style.cssText = 'width: 90px; height: 24px; display: inline'
  return svg
}

function renderTokens({ tokens }) {
  const input = (name, label) =>
    el('label', {}, label, el('input', { name, type: 'number', min: 0, step: 'any', value: list.filter[name] ?? '' }))
  const filter = el(
    'form',
    {
      id: 'filter',
      onsubmit: (event) => {
        event.preventDefault()
        const given = [...new FormData(event.target)].filter(([, value]) => value !== '')
        list.filter = Object.fromEntries(
          given.map(([name, value]) => [name, name === 'search' ? value : Number(value)]),
        )
        void showTokens(LIST)
      },
    },
    el('label', {}, 'Name', el('input', { name: 'search', maxlength: 64, value: list.filter.search ?? '' })),
    input('minLiquidityUsd', 'Least liquidity, $'),
    input('maxRiskScore', 'Most risk'),
    input('maxAgeHours', 'Most hours of age'),
    el('button', {}, 'Filter'),
  )
  const onorder = (field) => {
    list.order = flip(list.order, field)
    void showTokens(LIST)
  }
  return [
    filter,
    el('p', {}, `${number(tokens.total)} tokens`),
    table(COLUMNS, tokens.nodes, { order: list.order, onorder }),
  ]
}

const showTokens = (query) =>
  show(query, { filter: list.filter, order: list.order }, (data) => {
    for (const event of data.events?.nodes.toReversed() ?? []) addEvent({ id: event.id, retracted: false, event })
    return renderTokens(data)
  })

// A token, a wallet, the leaderboard, a search

const renderToken = ({ token }) =>
  token === null
    ? [el('p', {}, 'This token is not indexed.')]
    : [
        el('h2', {}, `${token.symbol} · ${token.name}`),
        el('p', {}, token.aiSummary),
        facts([
          ['Price', usd(token.priceUsd)],
          ['24 h', percent(token.priceChange?.h24)],
          ['Market cap', usd(token.marketCapUsd)],
          ['Liquidity', usd(token.liquidityUsd)],
          ['Holders', number(token.holderCount)],
          ['Risk', `${token.riskScore}`],
        ]),
        el(
          'ul',
          {},
          ...token.reasons.map(({ text, points }) => el('li', {}, `${text} (${points > 0 ? '+' : ''}${points})`)),
        ),
        el('h2', {}, 'Price, by the hour'),
        candles('candles of an hour', token.candles),
        el('h2', {}, 'Risk, by the day'),
        line('risk over time', token.riskSeries, ({ score }) => score),
        el('h2', {}, 'Top traders'),
        table(
          [
            { title: 'Wallet', text: true, cell: ({ wallet }) => walletLink(wallet.address) },
            { title: 'Class', text: true, cell: ({ wallet }) => wallet.classification },
            { title: 'Realised', cell: ({ realisedUsd }) => usd(realisedUsd) },
            { title: 'Open', cell: ({ openUsd }) => usd(openUsd) },
            { title: 'Volume', cell: ({ volumeUsd }) => usd(volumeUsd) },
          ],
          token.topTraders,
        ),
      ]

const renderWallet = ({ wallet }) =>
  wallet === null
    ? [el('p', {}, 'This wallet is not indexed.')]
    : [
        el('h2', {}, wallet.address),
        facts([
          ['Class', wallet.classifications.join(', ')],
          ['Reputation', `${wallet.reputationScore} (${wallet.reputationConfidence} confidence)`],
          ['Realised', usd(wallet.pnl.realisedUsd)],
          ['Open', usd(wallet.pnl.openUsd)],
          ['Trades', number(wallet.tradeCount)],
        ]),
        el('h2', {}, 'Realised profit, by the day'),
        line('profit over time', wallet.pnlSeries, ({ realisedUsd }) => realisedUsd),
        el('h2', {}, 'Net worth, by the day'),
        line('net worth over time', wallet.pnlSeries, ({ netWorthUsd }) => netWorthUsd),
        el('h2', {}, `Positions (${wallet.positions.total})`),
        table(
          [
            {
              title: 'Token',
              text: true,
              cell: (row) => tokenLink({ address: row.tokenAddress, symbol: row.tokenSymbol }),
            },
            { title: 'Value', cell: ({ valueUsd }) => usd(valueUsd) },
            { title: 'Open', cell: ({ openUsd }) => usd(openUsd) },
            { title: 'Realised', cell: ({ realisedUsd }) => usd(realisedUsd) },
          ],
          wallet.positions.nodes,
        ),
      ]

let leaders = { field: 'realised_usd', direction: 'desc' }
const showLeaders = () =>
  show(LEADERS, { order: leaders }, ({ wallets }) => [
    el('h2', {}, 'Leaderboard'),
    table(
      [
        { title: 'Wallet', text: true, cell: ({ address }) => walletLink(address) },
        { title: 'Class', text: true, cell: ({ classification }) => classification },
        { title: 'Reputation', field: 'reputation_score', cell: ({ reputationScore }) => number(reputationScore) },
        { title: 'Realised', field: 'realised_usd', cell: ({ realisedUsd }) => usd(realisedUsd) },
        {
          title: 'This week',
          field: 'realised_this_week_usd',
          cell: ({ realisedThisWeekUsd }) => usd(realisedThisWeekUsd),
        },
        { title: 'Trades', field: 'trade_count', cell: ({ tradeCount }) => number(tradeCount) },
      ],
      wallets.nodes,
      {
        order: leaders,
        onorder: (field) => {
          leaders = flip(leaders, field)
          void showLeaders()
        },
      },
    ),
  ])

const renderSearch = ({ search: { tokens, wallets } }) => [
  el('h2', {}, `${tokens.length + wallets.length} found`),
  table(
    [
      {
        title: 'What',
        text: true,
        cell: (row) => (row.symbol === undefined ? walletLink(row.address) : tokenLink(row)),
      },
      { title: 'Name', text: true, cell: (row) => row.name ?? row.classification },
      { title: 'Liquidity', cell: (row) => usd(row.liquidityUsd) },
      { title: 'Looks like', text: true, cell: (row) => (row.lookalikeOf ? tokenLink(row.lookalikeOf) : '') },
    ],
    [...tokens, ...wallets],
  ),
]

// The feed

/** Most events in the feed. The oldest one leaves. */
const MOST_EVENTS = 50
function addEvent({ id, retracted, event }) {
  const known = document.getElementById(`event-${id}`)
  if (retracted) known?.classList.add('gone')
  if (retracted || known || !event) return
  feed.prepend(
    el(
      'tr',
      { id: `event-${id}` },
      el('td', {}, new Date(event.timestamp).toLocaleTimeString()),
      el('td', { class: 'text' }, event.direction ?? event.type),
      el('td', { class: 'text' }, tokenLink({ address: event.tokenAddress, symbol: event.tokenSymbol })),
      el('td', {}, usd(event.amountUsd)),
      el('td', { class: 'text' }, walletLink(event.walletAddress)),
    ),
  )
  while (feed.children.length > MOST_EVENTS) feed.lastElementChild.remove()
}

// The way through them

function go() {
  if (!isConnected()) return
  const [, name = '', value = ''] = decodeURIComponent(location.hash).split('/')
  if (name === 'token') return show(TOKEN, { address: value }, renderToken)
  if (name === 'wallet') return show(WALLET, { address: value }, renderWallet)
  if (name === 'leaders') return showLeaders()
  if (name === 'search') return show(SEARCH, { query: value }, renderSearch)
  return showTokens(LIST)
}

let stream = new AbortController()
document.getElementById('server').addEventListener('submit', async (event) => {
  event.preventDefault()
  const given = new FormData(event.target)
  connect(given.get('url'), given.get('key'))
  stream.abort()
  stream = new AbortController()
  feed.replaceChildren()
  if (location.hash.length > 2) await go()
  else await showTokens(FIRST)
  void follow(FEED, addEvent, say, stream.signal)
})
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault()
  location.hash = `#/search/${encodeURIComponent(new FormData(event.target).get('query'))}`
})
addEventListener('hashchange', go)
