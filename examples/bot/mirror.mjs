// Mirrors a wallet: it receives an alert with mirror_sales, and sends orders to a trader of yours. It buys what the
// wallet bought, and sells the same share of it as the wallet. A token that was moved away is printed, never sold.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { SECRET = '', TRADER_URL = '', PORT = '4800', AMOUNT_USD = '100', MAX_RISK = '49' } = process.env

// Only what the secret of the webhook signs counts, within five minutes.
function isSigned({ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' }, body) {
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64')
  const own = Buffer.from(createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64'))
  const isOwn = (text) => text.length === own.length && timingSafeEqual(Buffer.from(text), own)
  const signatures = given.split(' ').map((part) => part.replace('v1,', ''))
  return Math.abs(Date.now() / 1000 - at) < 300 && signatures.some(isOwn)
}

async function order(id, body) {
  const { ok } = await fetch(TRADER_URL, { method: 'POST', body: JSON.stringify({ id, ...body }) })
  if (!ok) throw new Error('the trader refused an order')
}

// A message may come twice: the trader takes an order of a known id once.
async function mirror(id, { exits, tokens }) {
  for (const { address, risk_score, sellable, trades } of tokens) {
    const isWanted = risk_score <= Number(MAX_RISK) && sellable !== false && trades.some((t) => t.direction === 'buy')
    if (isWanted) await order(`${id} ${address}`, { buy: address, amount_usd: Number(AMOUNT_USD) })
  }
  for (const { token_address, kind, share_pct, tx_hash } of exits) {
    process.stdout.write(`${kind} ${token_address} ${share_pct ?? 'unknown'}\n`)
    const isSale = kind === 'sale' && share_pct !== null
    if (isSale) await order(`${tx_hash} ${token_address}`, { sell: token_address, share_pct })
  }
}

async function receive({ headers }, body) {
  if (!isSigned(headers, body)) return 401
  const { type, data } = JSON.parse(body)
  if (type === 'alert.matched') await mirror(headers['webhook-id'], data)
  return 204
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  response.writeHead(await receive(request, body).catch(() => 500)).end()
}).listen(Number(PORT), '127.0.0.1')
