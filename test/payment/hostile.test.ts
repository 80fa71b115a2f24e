// Payments that are wrong, repeated, raced or undone, on a real EVM: none is served without money, and none is paid twice.
import { encodeDeployData, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address, Hash } from '../../src/base/address.ts'
import { insertPayment, MOST_HELD_OF_PAYER } from '../../src/ledger/account/payment.ts'
import { createPaymentQueue } from '../../src/payment/queue.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { artifacts } from '../support/contracts/artifacts.ts'
import { fromHeader, type PayingChain, PRICE, PUBLIC_URL, startPayingChain } from '../support/payment.ts'
import { createServed, type Served } from '../support/served.ts'

const title = anvilBinary ? 'a payment' : `a payment (${ANVIL_MISSING})`
const PATH = '/v1/tokens?limit=1'
const OTHER = `0x${'d'.repeat(40)}` as const

let chain: PayingChain
let served: Served
/** Another process on the same database. */
let second: { url: string }
let required: string | null

interface Told {
  status: number
  error: { code: string; message: string; details?: { field: string; message: string }[] }
  headers: Headers
}

const ask = async (payment: string, path = PATH, url = served.url): Promise<Told> => {
  const response = await fetch(`${url}${path}`, { headers: { 'payment-signature': payment } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, error: text && JSON.parse(text).error }
}
const rows = async () => (await served.database.pool.query('SELECT 1 FROM payment')).rowCount
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
/** A header with one part replaced. */
const change = (header: string, path: string, value: unknown): string => {
  const json = fromHeader(header)
  const names = path.split('.')
  const last = names.pop() ?? ''
  names.reduce((at, name) => at[name], json)[last] = value
  return encode(json)
}

describe.skipIf(!anvilBinary)(title, () => {
  afterAll(() => chain.stop())
  beforeAll(async () => {
    chain = await startPayingChain()
    served = await createServed({ publicUrl: PUBLIC_URL, pay: chain.pay() })
    second = await served.another()
    required = (await fetch(`${served.url}${PATH}`)).headers.get('payment-required')
  })

  it.each([
    ['accepted.scheme', 'upto', 'is upto, and must be exact'],
    ['accepted.network', 'eip155:1', 'is eip155:1, and must be eip155:31337'],
    ['accepted.asset', OTHER, `is ${OTHER}, and must be 0x`],
    ['accepted.payTo', OTHER, `is ${OTHER}, and must be 0x`],
    ['accepted.amount', '1', 'is 1, and must be 1000'],
    ['payload.authorization.to', OTHER, `is ${OTHER}, and must be 0x`],
    ['payload.signature', `0x${'1'.repeat(128)}1b`, 'must be by 0x'],
  ])('with another %s is refused, and names the field', async (path, value, message) => {
    const before = [await chain.earned(), await rows()]
    const refused = await ask(change(chain.toPayment(required, await chain.sign()), path, value))
    expect([refused.status, refused.error.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    const field = `PAYMENT-SIGNATURE.${path}`
    const detail = refused.error.details?.find((each) => each.field === field)
    expect(detail).toMatchObject({ location: 'header', message: expect.stringContaining(`${field} ${message}`) })
    expect(fromHeader(refused.headers.get('payment-response'))).toMatchObject({ success: false, transaction: '' })
    expect(fromHeader(refused.headers.get('payment-required')).accepts[0].amount).toBe(String(PRICE))
    expect([await chain.earned(), await rows()]).toEqual(before)
  })

  it.each([
    ['value', { value: PRICE - 1n }, 'is 999, and this request costs 1000'],
    ['value', { value: 10n ** 12n }, 'is 1000000000000, and 0x'],
    ['validBefore', { validBefore: 1_000_000_000n }, 'is 1000000000, and must be from '],
    ['validBefore', { validBefore: 5_000_000_000n }, 'is 5000000000, and must be from '],
    ['validAfter', { validAfter: 5_000_000_000n }, 'is 5000000000, and must not be after now'],
  ])('that signs a %s out of its bounds is refused, and names the field', async (name, fields, message) => {
    const before = [await chain.earned(), await rows()]
    const refused = await ask(chain.toPayment(required, await chain.sign(fields)))
    expect([refused.status, refused.error.details?.map(({ field }) => field)]).toEqual([
      402,
      [`PAYMENT-SIGNATURE.payload.authorization.${name}`],
    ])
    expect(refused.error.message).toContain(message)
    expect([await chain.earned(), await rows()]).toEqual(before)
  })

  it.each([
    ['in the domain of another chain', { chainId: 1 }],
    ['in the domain of another version', { version: '1' }],
  ])('that is signed %s is refused', async (_, domain) => {
    const refused = await ask(chain.toPayment(required, await chain.sign({}, domain)))
    expect([refused.status, refused.error.details?.[0]?.field]).toEqual([402, 'PAYMENT-SIGNATURE.payload.signature'])
  })

  it('that is no JSON, of another version or far too long is refused before anything is asked', async () => {
    const good = chain.toPayment(required, await chain.sign())
    const long = change(good, 'resource.url', 'x'.repeat(5_000))
    for (const [header, message] of [
      ['%%%', 'must be JSON in base64'],
      [encode(null), 'must be JSON in base64'],
      [encode([]), 'x402Version must be 2'],
      [change(good, 'x402Version', 1), 'x402Version must be 2'],
      [change(good, 'payload.authorization.nonce', '0x1'), 'nonce must be 32 bytes'],
      [change(good, 'payload.authorization.value', '-1'), 'value must be a whole number'],
      [change(good, 'payload.authorization.value', '9'.repeat(78)), 'value must be a whole number'],
      [change(good, 'payload.signature', `0x${'1'.repeat(400)}`), 'signature must be 65 bytes'],
      [long, 'must have at most 4096'],
    ] as const) {
      const refused = await ask(header)
      expect([refused.status, refused.error.code], message).toEqual([400, 'INVALID_PARAMS'])
      expect(refused.error.message).toContain('PAYMENT-SIGNATURE')
      expect(refused.error.details?.some((each) => each.message.includes(message))).toBe(true)
    }
  })

  it('that is sent again buys nothing more', async () => {
    const before = await chain.earned()
    const header = chain.toPayment(required, await chain.sign())
    expect((await ask(header)).status).toBe(200)
    const again = await ask(header)
    expect([again.status, again.error.message]).toEqual([402, expect.stringContaining('1000 of it is spent')])
    expect(await chain.earned()).toBe(before + PRICE)
  })

  it('of a payer with ten that wait for their transfers has to wait, and one of another payer does not', async () => {
    const { pool } = served.database
    const now = new Date()
    const of = (payer: string, at: number) => ({
      network: 'eip155:9',
      asset: OTHER as Address,
      payer: payer as Address,
      nonce: `0x${String(at).padStart(64, '0')}` as Hash,
      payloadHash: Buffer.alloc(32, at),
      value: 1n,
      validBefore: now,
      heldBlock: 1,
    })
    for (let at = 0; at < MOST_HELD_OF_PAYER; at++) expect(await insertPayment(pool, of(OTHER, at), now)).toBe(true)
    expect(await insertPayment(pool, of(OTHER, 99), now)).toBe(false)
    expect(await insertPayment(pool, of(`0x${'e'.repeat(40)}`, 99), now)).toBe(true)
    await pool.query(`DELETE FROM payment WHERE network = 'eip155:9'`)
  })

  it('that comes many times at once, to two processes, is served once', async () => {
    const before = await chain.earned()
    const header = chain.toPayment(required, await chain.sign())
    const urls = [served.url, second.url, served.url, second.url, served.url, second.url]
    const statuses = (await Promise.all(urls.map((url) => ask(header, PATH, url)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toEqual([200])
    expect(statuses.filter((status) => ![200, 402, 409].includes(status))).toEqual([])
    expect(await chain.earned()).toBe(before + PRICE)
  })

  it('of many prices is drawn from by the same header, on any path, and never below zero', async () => {
    const before = await chain.earned()
    const header = chain.toPayment(required, await chain.sign({ value: 3n * PRICE }))
    const credits: unknown[] = []
    for (const path of [PATH, '/v1/wallets?limit=1', `/v1/tokens/${OTHER}`, PATH]) {
      const { status, headers } = await ask(header, path)
      credits.push([status, headers.get('assay-credit')])
    }
    expect(credits).toEqual([
      [200, '2000'],
      [200, '1000'],
      [404, '0'],
      [402, null],
    ])
    expect(await chain.earned()).toBe(before + 3n * PRICE)
  })

  it('whose nonce came with another header is refused, also with the same signature', async () => {
    const header = chain.toPayment(required, await chain.sign({ value: 2n * PRICE }))
    expect((await ask(header)).status).toBe(200)
    const copied = await ask(change(header, 'accepted.extra.secret', 'guessed'))
    expect([copied.status, copied.error.message]).toEqual([402, expect.stringContaining('came with another header')])
  })

  it('that somebody sent to the chain before is no payment here', async () => {
    const signed = await chain.sign()
    await chain.mined(await chain.send(chain.terms.asset, chain.toCall(signed)))
    const refused = await ask(chain.toPayment(required, signed))
    expect([refused.status, refused.error.message]).toEqual([402, expect.stringContaining('was used already')])
  })

  it('in whose place the nonce paid somebody else is none, even beside a real payment', async () => {
    const nonce = `0x${'7'.repeat(64)}` as const
    const [toUs, toOther, real] = [
      await chain.sign({ nonce }),
      await chain.sign({ nonce, to: OTHER as PayingChain['payer'] }),
      await chain.sign(),
    ]
    const batch = await chain.deploy(encodeDeployData({ ...artifacts.batch, args: [] }))
    const pay = chain.pay({
      // The payer is faster: one transaction uses the nonce for another receiver, and pays something else.
      send: async () => {
        const calls = [chain.toCall(toOther), chain.toCall(real)]
        const args = [chain.terms.asset, calls]
        const data = encodeFunctionData({ abi: artifacts.batch.abi, functionName: 'run', args })
        await chain.mined(await chain.send(batch, data))
      },
    })
    const raced = await createServed({ publicUrl: PUBLIC_URL, pay })
    const refused = await ask(chain.toPayment(required, toUs), PATH, raced.url)
    expect([refused.status, refused.error.message]).toEqual([402, expect.stringContaining('used for another transfer')])
  })
})

it('beyond the bound of a process, or of the share of a network, is told to come again', async () => {
  const queue = createPaymentQueue(2, 1)
  const refusal = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 }
  const free = await queue.wait('one', '192.0.2.1')
  await expect(queue.wait('two', '192.0.2.1')).rejects.toMatchObject(refusal)
  const freeOther = await queue.wait('two', '192.0.2.2')
  await expect(queue.wait('three', '192.0.2.3')).rejects.toMatchObject(refusal)
  free()
  freeOther()
  await expect(queue.wait('two', '192.0.2.1')).resolves.toBeTypeOf('function')
})
