// When a payment is certain: facilitators that lie, hang or fail, killed processes, and reorganisations.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createFacilitator } from '../../src/payment/facilitator.ts'
import type { Payments } from '../../src/payment/payments.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { untilThere } from '../support/patience.ts'
import { type PayingChain, PRICE, requiredOf, startPayingChain } from '../support/payment.ts'

const title = anvilBinary ? 'a payment' : `a payment (${ANVIL_MISSING})`
const LEASE_MS = 30_000
const later = { ...systemClock, now: () => new Date(systemClock.now().getTime() + LEASE_MS + 1_000) }

let chain: PayingChain
let database: TestDatabase

const paymentsOf = (changed?: Parameters<PayingChain['pay']>[0]) => chain.pay(changed)(database).payments
const headerOf = async (value = PRICE) => chain.toPayment(requiredOf(chain.terms), await chain.sign({ value }))
/** The charge of one request; `headers` are those of its answer. */
async function open(payments: Payments, header: string) {
  const headers: Record<string, string> = {}
  const charge = payments.open({
    header,
    url: '/',
    network: '192.0.2.1',
    onPaid: (given) => void Object.assign(headers, given),
  })
  await charge.add(1)
  return { ...charge, headers }
}
/** Pays for one request, and answers it. */
async function serve(payments: Payments, header: string): Promise<string | undefined> {
  const charge = await open(payments, header)
  await charge.confirm()
  charge.spend()
  await payments.stop()
  return charge.headers['assay-credit']
}

/** A facilitator that answers as told, until the test is over. */
async function startFacilitator(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.skipIf(!anvilBinary)(title, () => {
  afterAll(() => chain.stop())
  beforeAll(async () => {
    chain = await startPayingChain()
    database = await createTestDatabase()
  })

  it.each<[string, RequestListener]>([
    ['says that it was paid', (_, response) => void response.end('{"success":true,"transaction":"","payer":"0x1"}')],
    [
      'has sent it and does not see it yet',
      (_, response) => void response.end('{"success":false,"errorReason":"settlement_pending","transaction":"0x1"}'),
    ],
    ['fails', (_, response) => void response.writeHead(500).end('secret of the facilitator')],
    ['never answers', () => {}],
    ['answers without an end', (_, response) => void response.write('{')],
    ['answers too much', (_, response) => void response.end('x'.repeat(100_000))],
  ])('whose facilitator %s is not served, until the transfer is on the chain', async (_, answer) => {
    const warnings: unknown[] = []
    const url = await startFacilitator(answer)
    const send = createFacilitator({ url, authorization: 'Bearer hunter2' }, chain.terms)
    const log = { warn: (fields: object) => void warnings.push(fields) }
    const liar = paymentsOf({ send, withinMs: 300, log })
    const signed = await chain.sign()
    const header = chain.toPayment(requiredOf(chain.terms), signed)
    const before = await chain.earned()
    await expect(serve(liar, header)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('send the same header again'),
    })
    expect(await chain.earned()).toBe(before)
    await chain.mined(await chain.send(chain.terms.asset, chain.toCall(signed)))
    expect(await serve(liar, header)).toBe('0')
    await expect(serve(liar, header)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
    expect(await chain.earned()).toBe(before + PRICE)
    expect(JSON.stringify(warnings)).not.toContain('hunter2')
  })

  it('whose facilitator refuses is refused with the reason, and is served if it was sent all the same', async () => {
    const signed = await chain.sign()
    const asked: { authorization: unknown; body: unknown }[] = []
    let isSent = false
    const url = await startFacilitator(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      asked.push({ authorization: request.headers.authorization, body: JSON.parse(body) })
      if (isSent) await chain.mined(await chain.send(chain.terms.asset, chain.toCall(signed)))
      response.end('{"success":false,"errorReason":"insufficient_funds\\u001b[2J"}')
    })
    const send = createFacilitator({ url, authorization: 'Bearer hunter2' }, chain.terms)
    const header = chain.toPayment(requiredOf(chain.terms), signed)
    await expect(serve(paymentsOf({ send }), header)).rejects.toMatchObject({
      code: 'PAYMENT_REQUIRED',
      message: 'PAYMENT-SIGNATURE.payload was not settled: the facilitator says insufficient_funds\ufffd[2J',
    })
    expect(asked).toMatchObject([
      {
        authorization: 'Bearer hunter2',
        body: {
          x402Version: 2,
          paymentPayload: { payload: { signature: signed.signature } },
          paymentRequirements: { scheme: 'exact', amount: String(PRICE), payTo: chain.terms.payTo },
        },
      },
    ])
    isSent = true
    expect(await serve(paymentsOf({ send }), header)).toBe('0')
  })

  it('of a process that was killed before its transfer is sent by the next, once', async () => {
    const before = await chain.earned()
    const header = await headerOf()
    const killed = await open(paymentsOf({ send: () => new Promise(() => {}), withinMs: 100_000 }), header)
    void killed.confirm().catch(() => {})
    await noted()
    await expect(serve(paymentsOf(), header)).rejects.toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 1 })
    expect(await serve(paymentsOf({ clock: later }), header)).toBe('0')
    expect(await chain.earned()).toBe(before + PRICE)
  })

  it('of a process that was killed after its transfer is served by the next, and not paid again', async () => {
    const before = await chain.earned()
    const signed = await chain.sign()
    const header = chain.toPayment(requiredOf(chain.terms), signed)
    let send = async () => chain.mined(await chain.send(chain.terms.asset, chain.toCall(signed)))
    const sent = new Promise<void>((resolve) => {
      const really = send
      send = async () => {
        await really()
        resolve()
        await new Promise(() => {})
      }
    })
    // It is sent, and never seen: the transfer would need more blocks than there are.
    const killed = await open(paymentsOf({ send, confirmations: 1_000, withinMs: 100_000 }), header)
    void killed.confirm().catch(() => {})
    await sent
    const never = () => Promise.reject(new Error('it was sent again'))
    expect(await serve(paymentsOf({ send: never, clock: later }), header)).toBe('0')
    expect(await chain.earned()).toBe(before + PRICE)
  })

  it('of a process that was killed while it served is served again, once', async () => {
    const before = await chain.earned()
    const header = await headerOf()
    await (await open(paymentsOf(), header)).confirm()
    expect(await serve(paymentsOf({ clock: later }), header)).toBe('0')
    await expect(serve(paymentsOf({ clock: later }), header)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' })
    expect(await chain.earned()).toBe(before + PRICE)
  })

  it('whose answer failed or was not read stays as the credit of its header, also after it has expired', async () => {
    const header = await headerOf()
    const payments = paymentsOf()
    const charge = await open(payments, header)
    await charge.confirm()
    await charge.refund()
    const tomorrow = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 80_000_000) }
    expect(await serve(paymentsOf({ clock: tomorrow }), header)).toBe('0')
  })

  it('is served after its confirmations, and not before', async () => {
    const header = await headerOf()
    const careful = paymentsOf({ confirmations: 3, withinMs: 300 })
    await expect(serve(careful, header)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 })
    await chain.anvil.rpc('anvil_mine', ['0x2'])
    expect(await serve(careful, header)).toBe('0')
  })

  it('that a reorganisation removes is sent again, and not paid twice', async () => {
    const header = await headerOf(3n * PRICE)
    const before = await chain.earned()
    const snapshot = await chain.anvil.rpc('evm_snapshot')
    expect(await serve(paymentsOf(), header)).toBe('2000')
    await chain.anvil.rpc('evm_revert', [snapshot])
    expect(await chain.earned()).toBe(before)
    expect(await serve(paymentsOf(), header)).toBe('1000')
    expect(await chain.earned()).toBe(before + 3n * PRICE)
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM payment WHERE spent > value')
    expect(rows).toEqual([{ n: 0 }])
  })

  it('that ended without a transfer is forgotten, and one with a late transfer stays as credit', async () => {
    const [lost, late] = [await chain.sign(), await chain.sign()]
    const headers = [lost, late].map((signed) => chain.toPayment(requiredOf(chain.terms), signed))
    const send = () => Promise.reject(new Error('the facilitator is away'))
    for (const header of headers) await expect(serve(paymentsOf({ send }), header)).rejects.toThrow('not certain yet')
    await chain.mined(await chain.send(chain.terms.asset, chain.toCall(late)))
    const tomorrow = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 80_000_000) }
    const payments = paymentsOf({ clock: tomorrow, send })
    await payments.clear()
    const [forgotten, kept] = headers
    await expect(serve(payments, forgotten ?? '')).rejects.toMatchObject({
      code: 'PAYMENT_REQUIRED',
      message: expect.stringContaining('validBefore'),
    })
    expect(await serve(payments, kept ?? '')).toBe('0')
  })

  it('is forgotten when its credit has ended', async () => {
    const header = await headerOf(2n * PRICE)
    expect(await serve(paymentsOf(), header)).toBe('1000')
    const nextWeek = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 7 * 86_400_000) }
    await paymentsOf({ clock: nextWeek }).clear()
    await expect(serve(paymentsOf(), header)).rejects.toMatchObject({
      message: expect.stringContaining('used already'),
    })
  })

  it('that a reorganisation removes for good serves nothing more', async () => {
    const header = await headerOf(3n * PRICE)
    const snapshot = await chain.anvil.rpc('evm_snapshot')
    expect(await serve(paymentsOf(), header)).toBe('2000')
    await chain.anvil.rpc('evm_revert', [snapshot])
    const send = () => Promise.reject(new Error('the payer has nothing any more'))
    await expect(serve(paymentsOf({ send }), header)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

/** Waits until a request has a payment's row. */
async function noted(): Promise<void> {
  await untilThere(
    async () => ((await database.pool.query('SELECT 1 FROM payment WHERE leased_until > now()')).rowCount ?? 0) > 0,
    () => 'no request has a payment',
  )
}
