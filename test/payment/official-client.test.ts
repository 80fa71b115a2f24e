// The public client and facilitator of x402, unchanged, pay for a request on a real EVM.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createClient, http, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFacilitator } from '../../src/payment/facilitator.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { fromHeader, type PayingChain, PRICE, PUBLIC_URL, startPayingChain } from '../support/payment.ts'
import { createServed } from '../support/served.ts'

const packages = new URL('../../.ci/api/package.json', import.meta.url)
const isInstalled = existsSync(new URL('node_modules/@x402/fetch', packages))
const load = createRequire(packages)
const title = anvilBinary ? 'skipped until .ci/api/run installed them' : ANVIL_MISSING
/** One of anvil's own accounts, which has ether. */
const RICH = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** The public facilitator behind HTTP, until the test is over. */
async function startPublicFacilitator({ anvil, terms }: PayingChain) {
  const { x402Facilitator } = load('@x402/core/facilitator')
  const { ExactEvmScheme } = load('@x402/evm/exact/facilitator')
  const { toFacilitatorEvmSigner } = load('@x402/evm')
  const account = privateKeyToAccount(RICH)
  const chain = {
    id: terms.chainId,
    name: 'Test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  }
  const client = createClient({ account, chain, transport: http(anvil.url), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
  await anvil.rpc('anvil_setBalance', [account.address, `0x${(10n ** 24n).toString(16)}`])
  const facilitator = new x402Facilitator().register(
    terms.network,
    new ExactEvmScheme(toFacilitatorEvmSigner({ ...client, address: account.address })),
  )
  const answers: unknown[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { paymentPayload, paymentRequirements } = JSON.parse(body)
    const answer = await facilitator.settle(paymentPayload, paymentRequirements)
    answers.push(answer)
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers }
}

describe.skipIf(!anvilBinary || !isInstalled)(`the public client of x402 (${title})`, () => {
  it('asks, pays through the public facilitator and is served, without a change', async () => {
    const chain = await startPayingChain()
    onTestFinished(chain.stop)
    const facilitator = await startPublicFacilitator(chain)
    const send = createFacilitator({ url: facilitator.url, authorization: undefined }, chain.terms)
    const served = await createServed({ publicUrl: PUBLIC_URL, pay: chain.pay({ send }) })
    const { wrapFetchWithPaymentFromConfig } = load('@x402/fetch')
    const { ExactEvmScheme } = load('@x402/evm/exact/client')
    const { network, asset } = chain.terms
    const sent: (string | null)[] = []
    const noting: typeof fetch = (request, init) => {
      sent.push(new Headers(request instanceof Request ? request.headers : init?.headers).get('payment-signature'))
      return fetch(request, init)
    }
    const paying: typeof fetch = wrapFetchWithPaymentFromConfig(noting, {
      schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(privateKeyToAccount(chain.secret)) }],
      // Of its own accord the client pays the dollars of public chains only.
      spendControls: { allowedAssets: [{ network, asset }] },
    })

    for (const path of ['/v1/tokens?limit=2', '/v1/wallets?limit=2', '/v1/gate/backtest']) {
      const before = await chain.earned()
      const response = await paying(`${served.url}${path}`)
      expect([path, response.status, facilitator.answers.at(-1)]).toMatchObject([path, 200, { success: true }])
      const settled = fromHeader(response.headers.get('payment-response'))
      expect(settled).toMatchObject({ success: true, payer: chain.payer })
      expect(await chain.earned()).toBe(before + BigInt(settled.amount))
      expect(BigInt(settled.amount) % PRICE).toBe(0n)
    }
    expect(sent.filter((header) => header === null)).toHaveLength(3)
    // What keeps others from sending the header comes back with each payment.
    const secrets = sent.filter((header) => header !== null).map((header) => fromHeader(header).accepted.extra.secret)
    expect(secrets).toEqual([1, 2, 3].map(() => expect.stringMatching(/^[0-9a-f-]{36}$/)))
    expect(new Set(secrets).size).toBe(3)
  })
})
