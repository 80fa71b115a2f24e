// Buys launches that the gate allows: it sends an order to a trader of yours, and prints every other decision.
import { createPublicKey, verify } from 'node:crypto'

const { ASSAY_URL = 'http://127.0.0.1:4000', ASSAY_KEY = '', TRADER_URL = '' } = process.env
const { EVERY_SECONDS = '60', MAX_AGE_HOURS = '24', AMOUNT_USD = '100', POLICY = 'standard' } = process.env
const decided = new Set()
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

async function get(path) {
  const response = await fetch(`${ASSAY_URL}${path}`, { headers: { authorization: `Bearer ${ASSAY_KEY}` } })
  if (response.ok) return response.json()
  const wait = Number(response.headers.get('retry-after'))
  if (wait === 0) throw new Error((await response.json()).error.message)
  await pause(wait)
  return get(path)
}

// Only what the server signed counts.
const { keys } = await get('/.well-known/jwks.json')
function read(jws) {
  const [header, payload, signature] = jws.split('.')
  const isSigned = keys.some((key) =>
    verify(null, `${header}.${payload}`, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'base64url')),
  )
  if (!isSigned) throw new Error('nobody signed this answer')
  return JSON.parse(Buffer.from(payload, 'base64url'))
}

for (;;) {
  const { data } = await get(`/v1/tokens?sort=newest&max_age_hours=${MAX_AGE_HOURS}&min_liquidity_usd=1000&limit=20`)
  for (const { address: token } of data.toReversed().filter(({ address }) => !decided.has(address))) {
    const { signed } = await get(`/v1/gate?token=${token}&amount_usd=${AMOUNT_USD}&policy=${POLICY}`)
    const { decision, reasons, missing } = read(signed)
    process.stdout.write(`${decision} ${token} ${[...reasons.map(({ text }) => text), ...missing].join('; ')}\n`)
    const body = JSON.stringify({ buy: token, amount_usd: Number(AMOUNT_USD), signed })
    if (decision === 'allow') await fetch(TRADER_URL, { method: 'POST', body })
    decided.add(token)
  }
  await pause(Number(EVERY_SECONDS))
}
