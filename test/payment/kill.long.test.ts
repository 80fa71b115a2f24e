// The program killed with SIGKILL while payments are under way: each header that was sent is served, and paid once.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../storm/program.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { untilThere } from '../support/patience.ts'
import { environmentOf, PRICE, requiredOf, startPayingChain } from '../support/payment.ts'
import { findPort } from '../support/servers.ts'

const PAYMENTS = 24
/** Transfers that were sent when the program is killed. */
const SENT = 8
const PATH = '/v1/tokens?limit=1'
/** A request whose process was killed is taken over half a minute later. */
const PAUSE_MS = 500
const title = 'payments under way when the program is killed are served by the next one, and paid once'

test.skipIf(!anvilBinary)(anvilBinary ? title : `${title} (${ANVIL_MISSING})`, async () => {
  const chain = await startPayingChain()
  onTestFinished(chain.stop)
  const database = await createDemoDatabase()
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const program = startProgram(['serve', '--roles', 'api'], {
      DATABASE_URL: database.url,
      PORT: String(port),
      ...environmentOf(chain),
    })
    await untilThere(
      () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      () => program.complaints(),
    )
    return program
  }
  /** The status of the answer; 0: there was none. */
  const ask = (header: string): Promise<number> =>
    fetch(`${url}${PATH}`, { headers: { 'payment-signature': header } }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
  const askUntil = async (header: string, statuses: readonly number[]): Promise<number> => {
    const status = await ask(header)
    if (statuses.includes(status)) return status
    await sleep(PAUSE_MS)
    return askUntil(header, statuses)
  }
  const headers = await Promise.all(
    Array.from({ length: PAYMENTS }, async () => chain.toPayment(requiredOf(chain.terms), await chain.sign())),
  )
  const first = await start()
  await chain.anvil.rpc('evm_setAutomine', [false])
  const answers = headers.map(ask)
  await untilThere(
    async () => Number((await chain.anvil.rpc<{ pending: string }>('txpool_status')).pending) >= SENT,
    () => `no transfers were sent: ${first.complaints()}`,
  )
  first.child.kill('SIGKILL')
  const unserved = (await Promise.all(answers)).filter((status) => status === 0)
  expect(unserved.length).toBeGreaterThanOrEqual(SENT)
  await chain.anvil.rpc('evm_setAutomine', [true])
  await chain.anvil.rpc('evm_mine')

  const second = await start()
  const final = await Promise.all(headers.map((header) => askUntil(header, [200, 402])))
  expect(new Set(final)).toEqual(new Set([200]))
  const again = await Promise.all(headers.map((header) => askUntil(header, [200, 402])))
  expect(new Set(again)).toEqual(new Set([402]))
  expect(await chain.earned()).toBe(BigInt(PAYMENTS) * PRICE)
  const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM payment WHERE spent = value')
  expect(rows).toEqual([{ n: PAYMENTS }])
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
})
