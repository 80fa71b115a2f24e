// `npm run bench -- check-now [--delay MS]`: how long a caller waits for the check of a token's contract. The program
// follows a chain with the tokens of the zoo, through a node that waits so long before each answer. Each token is asked
// for twice, one after the other: open, and an hour later.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { CASES } from '../../research/zoo/cases.ts'
import { headOf, openMarket, openZoo } from '../../research/zoo/market.ts'
import { startProgram } from '../../research/zoo/program.ts'
import { createWorld } from '../../research/zoo/world.ts'
import { systemClock } from '../../src/base/clock.ts'

const { values } = parseArgs({ options: { delay: { type: 'string', default: '0' } } })
const delayMs = Number(values.delay)
const HOUR = 3_600

/** Passes requests on to a node, and waits before each answer. */
async function startDelay(url: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    })
    const text = await answer.text()
    if (delayMs > 0) await systemClock.sleep(delayMs)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const world = await createWorld()
const preset = await openMarket(world)
const animals = await openZoo(world, CASES)
const program = await startProgram(await startDelay(world.anvil.url), preset, {})
await program.settle(await headOf(world), () => world.mine(1))
const waits: number[] = []
const states = new Map<string, number>()
for (let round = 0; round < 2; round++) {
  await world.mine(HOUR)
  await program.settle(await headOf(world), () => world.mine(1))
  for (const { stage } of animals) {
    // A check of the last ten seconds of the chain would be the answer.
    await world.mine(60)
    await program.reach(await headOf(world))
    const startedMs = performance.now()
    const { tokenCheck } = await program.ask<{ tokenCheck: { state: string } }>(
      `mutation { tokenCheck(address: "${stage.token}") { state token { sellCheck { checkedBlock } } } }`,
    )
    waits.push(performance.now() - startedMs)
    states.set(tokenCheck.state, (states.get(tokenCheck.state) ?? 0) + 1)
  }
}
await program.stop()
await world.stop()
const sorted = waits.toSorted((a, b) => a - b)
const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
const told = [...states].map(([state, count]) => `${count} ${state}`).join(', ')
process.stdout.write(`${delayMs} ms before each answer: ${told}; median ${at(0.5)} ms, p95 ${at(0.95)} ms\n`)
process.exit(0)
