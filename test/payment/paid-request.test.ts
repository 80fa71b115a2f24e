// A request without a key that pays for itself, on a real EVM with a real token, seen by the payer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { fromHeader, type PayingChain, PRICE, PUBLIC_URL, startPayingChain } from '../support/payment.ts'
import { createServed, type Served } from '../support/served.ts'

const title = anvilBinary ? 'a paid request' : `a paid request (${ANVIL_MISSING})`
const PATH = '/v1/tokens?limit=2'

let chain: PayingChain
let served: Served

const ask = async (payment?: string, path = PATH) => {
  const headers: Record<string, string> = payment === undefined ? {} : { 'payment-signature': payment }
  const response = await fetch(`${served.url}${path}`, { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}
/** A payment for the request, as a client signs it after the first answer. */
const payFor = async (path = PATH) => {
  const { headers } = await ask(undefined, path)
  const required = headers.get('payment-required')
  const { accepts } = fromHeader(required)
  return chain.toPayment(required, await chain.sign({ value: BigInt(accepts[0].amount) }))
}

describe.skipIf(!anvilBinary)(title, () => {
  afterAll(() => chain.stop())
  beforeAll(async () => {
    chain = await startPayingChain()
    served = await createServed({ publicUrl: PUBLIC_URL, pay: chain.pay() })
  })

  it('is told what to sign before it pays, and is not served', async () => {
    const { status, headers, json } = await ask()
    expect(status).toBe(402)
    expect(json.error).toMatchObject({ code: 'PAYMENT_REQUIRED', message: expect.stringContaining('PAYMENT-REQUIRED') })
    expect(fromHeader(headers.get('payment-required'))).toEqual({
      x402Version: 2,
      error: json.error.message,
      resource: { url: `${PUBLIC_URL}/v1/tokens`, mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:31337',
          amount: String(PRICE),
          asset: chain.terms.asset,
          payTo: chain.terms.payTo,
          maxTimeoutSeconds: 120,
          extra: {
            name: 'Signed Dollar',
            version: '2',
            assetTransferMethod: 'eip3009',
            secret: expect.stringMatching(/^[0-9a-f-]{36}$/),
          },
        },
      ],
    })
    expect(headers.get('payment-response')).toBeNull()
  })

  it('is served once its transfer is on the chain, with the transfer in the answer', async () => {
    const before = await chain.earned()
    const { status, headers, json } = await ask(await payFor())
    expect([status, json.data.length]).toEqual([200, 2])
    expect(await chain.earned()).toBe(before + PRICE)
    const settled = fromHeader(headers.get('payment-response'))
    expect(settled).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'eip155:31337',
      payer: chain.payer,
      amount: String(PRICE),
    })
    expect(await chain.anvil.rpc('eth_getTransactionReceipt', [settled.transaction])).toMatchObject({ status: '0x1' })
    expect(headers.get('assay-credit')).toBe('0')
  })

  it('costs as many requests as with a key', async () => {
    const path = '/v1/gate/backtest'
    const { authorization } = await served.knock({ plan: 'free' })
    const withKey = await fetch(`${served.url}${path}`, { headers: { authorization } })
    const [, left] = /"day";r=(\d+)/.exec(withKey.headers.get('ratelimit') ?? '') ?? []
    const [, most] = /"day";q=(\d+)/.exec(withKey.headers.get('ratelimit-policy') ?? '') ?? []
    const { accepts } = fromHeader((await ask(undefined, path)).headers.get('payment-required'))
    expect(Number(accepts[0].amount)).toBe((Number(most) - Number(left)) * Number(PRICE))
    expect(Number(accepts[0].amount)).toBeGreaterThan(Number(PRICE))
    expect([(await ask(await payFor(path), path)).status, withKey.status]).toEqual([200, 200])
  })

  it('is refused as with a key where it is wrong, before it pays', async () => {
    const { status, json } = await ask(undefined, '/v1/tokens?limit=0')
    expect([status, json.error.code]).toEqual([400, 'INVALID_PARAMS'])
  })

  it('is served with a key as before, and pays nothing', async () => {
    const before = await chain.earned()
    const { authorization } = await served.knock()
    const response = await fetch(`${served.url}${PATH}`, { headers: { authorization } })
    expect([response.status, response.headers.get('payment-response')]).toEqual([200, null])
    expect(await chain.earned()).toBe(before)
  })

  it.each(['/v1/me', '/v1/alerts', '/v1/stream/events', '/graphql?query={chain{name}}'])(
    'still needs a key at %s',
    async (path) => {
      const { status, headers } = await ask(undefined, path)
      expect([status, headers.get('payment-required')]).toEqual([401, null])
    },
  )
})
