// `assay check` tells whether payments can be taken: by the node's token, and by the facilitator.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { checkPayments } from '../../src/payment/open.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { type PayingChain, settingsOf, startPayingChain } from '../support/payment.ts'
import { findPort } from '../support/servers.ts'

const title = anvilBinary ? 'the check of payments' : `the check of payments (${ANVIL_MISSING})`
const KIND = { x402Version: 2, scheme: 'exact', network: 'eip155:31337' }

let chain: PayingChain
let server: Server
let facilitator: string
let kinds: unknown

describe.skipIf(!anvilBinary)(title, () => {
  afterAll(async () => {
    server.close()
    await chain.stop()
  })
  beforeAll(async () => {
    chain = await startPayingChain()
    server = createServer((_, response) => void response.end(JSON.stringify({ kinds })))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    facilitator = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  const check = (changed: Record<string, string> = {}) => checkPayments(settingsOf(chain, changed), systemClock)

  it('finds nothing to say where payments are off', async () => {
    expect(await checkPayments({ X402_CONFIRMATIONS: 1, X402_CREDIT_DAYS: 1 }, systemClock)).toEqual([])
  })

  it('says that the token signs as the settings have it, and that another name or version is wrong', async () => {
    expect(await check()).toEqual([{ isFault: false, text: expect.stringContaining('answers for eip155:31337') }])
    for (const wrong of [{ X402_ASSET_VERSION: '1' }, { X402_ASSET_NAME: 'Signed dollar' }])
      expect(await check(wrong)).toEqual([{ isFault: true, text: expect.stringContaining('another domain') }])
  })

  it('names a node that is away or of another chain', async () => {
    for (const wrong of [{ X402_NODE_URL: `http://127.0.0.1:${await findPort()}` }, { X402_NETWORK: 'eip155:8453' }])
      expect(await check(wrong)).toEqual([
        { isFault: true, text: expect.stringMatching(/^X402_NODE_URL cannot be used: .*(ECONNREFUSED|chain)/) },
      ])
  })

  it('says whether the facilitator takes the payments', async () => {
    const settings = { X402_FACILITATOR_URL: facilitator }
    kinds = [KIND]
    expect((await check(settings))[1]).toMatchObject({ isFault: false })
    for (const wrong of [[], [{ ...KIND, network: 'eip155:1' }], [{ ...KIND, x402Version: 1 }], undefined]) {
      kinds = wrong
      expect((await check(settings))[1], JSON.stringify(wrong)).toMatchObject({ isFault: true })
    }
  })
})
