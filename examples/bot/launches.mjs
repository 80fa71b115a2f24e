// Follows launches, checks each one, and posts to a chat: a webhook of Discord or Slack.
const { ASSAY_URL = 'http://127.0.0.1:4000', ASSAY_KEY = '', CHAT_URL = '' } = process.env
const { EVERY_SECONDS = '60', MAX_AGE_HOURS = '24' } = process.env
const seen = new Set()
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

async function get(path) {
  const response = await fetch(`${ASSAY_URL}/v1${path}`, { headers: { authorization: `Bearer ${ASSAY_KEY}` } })
  if (response.ok) return response.json()
  const wait = Number(response.headers.get('retry-after'))
  if (wait === 0) throw new Error((await response.json()).error.message)
  await pause(wait)
  return get(path)
}

// Strangers write symbols: take letters and digits only.
const clean = (text) => text.replaceAll(/[^\p{L}\p{N}$ ]/gu, '').slice(0, 20)
const sale = ({ sellable, method }) => {
  if (sellable === null) return 'not known whether it sells'
  return !sellable ? 'CANNOT BE SOLD' : method === 'transfer' ? 'holders can send it to its pool' : 'it sells'
}

async function judge({ address, symbol, risk_score, confidence, liquidity_usd, reasons }) {
  const { sell_check, powers } = await get(`/tokens/${address}/safety`)
  const open = powers?.filter(({ renounced }) => !renounced).map(({ text }) => text) ?? ['code not analysed']
  const lines = [...reasons.map(({ text }) => text), ...open.slice(0, 3)].map((line) => `- ${line}`)
  const head = `${clean(symbol)} ${address}: risk ${risk_score} (${confidence} confidence), ${sale(sell_check)}`
  return [head, `liquidity $${Math.round(liquidity_usd)}`, ...lines].join('\n')
}

for (;;) {
  const { data } = await get(`/tokens?sort=newest&max_age_hours=${MAX_AGE_HOURS}&min_liquidity_usd=1000&limit=20`)
  for (const token of data.toReversed().filter(({ address }) => !seen.has(address))) {
    const text = await judge(token)
    const body = JSON.stringify({ content: text, text, allowed_mentions: { parse: [] } })
    await fetch(CHAT_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    seen.add(token.address)
  }
  await pause(Number(EVERY_SECONDS))
}
