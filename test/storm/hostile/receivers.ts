// Attacks by the receivers of webhooks: servers of others that answer wrongly or never, and names that nobody resolves.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Attack, pause, type Target } from './attack.ts'
import { beside } from './setting.ts'
import type { Account } from './stage.ts'

/** How long a webhook of another account may wait meanwhile. */
const WITHIN_MS = 5_000
const LASTS_MS = 15_000
const HOOKS = 40

/** Switches protocols at /switching and holds the connection, never answers at /slow, and accepts all else. */
async function startReceiver({ tally }: Target) {
  const server = createServer(({ url, socket }, response) => {
    tally.add(`called ${url}`)
    if (url === '/switching')
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    else if (url !== '/slow') response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Makes alerts that call the URL at once, since every token matches; the function that it returns deletes them. */
async function addHooks({ client, stage }: Target, account: Account, url: string, count = 1) {
  const headers = { authorization: `Bearer ${stage.keys[account]}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'storm', conditions: {}, notification_channel: 'webhook', url })
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const made = await client.ask({ path: '/v1/alerts', method: 'POST', headers, body })
    ids.push((JSON.parse(made?.body ?? '{}') as { id: string }).id)
  }
  return async () => {
    for (const id of ids) await client.ask({ path: `/v1/alerts/${id}`, method: 'DELETE', headers })
  }
}

async function isTrueSoon({ isOver }: Target, test: () => boolean | Promise<boolean>): Promise<boolean> {
  const untilMs = performance.now() + WITHIN_MS
  while (performance.now() < untilMs && !isOver()) {
    if (await test()) return true
    await pause(50)
  }
  return false
}

/** Bad hooks of one account, and then a good one of another, which must be called soon. */
async function callBeside(target: Target, bad: (origin: string) => string, test: () => boolean | Promise<boolean>) {
  const { tally } = target
  const receiver = await startReceiver(target)
  const removing = [await addHooks(target, 'trusted', bad(receiver.url), HOOKS)]
  try {
    if (!(await isTrueSoon(target, test))) tally.fault('the hostile webhooks were not called')
    removing.push(await addHooks(target, 'pro', `${receiver.url}/good`))
    if (!(await isTrueSoon(target, () => tally.of('called /good') > 0)))
      tally.fault(`the webhook of another account was not called within ${WITHIN_MS / 1000} s`)
  } finally {
    for (const remove of removing) await remove()
    receiver.close()
  }
}

/** Whether a delivery says that the receiver answered 101. */
async function tellsOfSwitching({ client, stage }: Target): Promise<boolean> {
  const query = `{ alerts(first: ${HOOKS}) { nodes { deliveries { nodes { response } } } } }`
  const answer = await client.graphql(stage.keys.trusted, { query })
  return answer?.body.includes('(101)') ?? false
}

const common = {
  setting: 'receivers',
  short: true,
  lastsMs: LASTS_MS,
  allowed: /^(20[014]|called \/\w+)$/,
  needed: /^called \/good$/,
} as const

export const receiverAttacks: Attack[] = [
  {
    ...common,
    name: 'receivers that switch protocols',
    run: (target) =>
      callBeside(
        target,
        (origin) => `${origin}/switching`,
        () => tellsOfSwitching(target),
      ),
  },
  {
    ...common,
    name: `${HOOKS} webhooks that are never answered`,
    run: (target) =>
      callBeside(
        target,
        (origin) => `${origin}/slow`,
        () => target.tally.of('called /slow') > 1,
      ),
  },
  {
    ...common,
    name: `${HOOKS} webhooks whose name servers are silent`,
    run: async (target) => {
      let asked = 0
      const count = () => {
        asked += 1
      }
      beside.names?.on('message', count)
      await callBeside(
        target,
        () => 'https://silent.example/',
        () => asked > 1,
      )
      beside.names?.off('message', count)
    },
  },
]
