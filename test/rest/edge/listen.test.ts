import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { createListener } from '../../../src/rest/edge/listen.ts'

const app = express()
const listener = createListener(app, { host: '127.0.0.1', port: 0 })
afterAll(() => listener.stop())

test.each([
  ['192.0.2.1', 0, 'it is no address of this machine: set HOST'],
  ['nowhere.invalid', 0, 'its name is not known: set HOST'],
])(
  'listening on the unusable address %s:%d fails with a message that names the setting to change',
  async (host, port, reason) => {
    const start = createListener(express(), { host, port }).start()
    await expect(start).rejects.toThrow(`The server cannot listen on ${host}:${port}: ${reason}.`)
  },
)

test('Node creates requests and responses with the prototypes of Express, so Express replaces none', async () => {
  const made: object[] = []
  app.get('/', (request, response) => {
    made.push(request, response)
    response.json({ protocol: request.protocol, same: request.app === app && response.app === app })
  })
  const response = await fetch(await listener.start())
  expect(await response.json()).toEqual({ protocol: 'http', same: true })
  // An object whose prototype was replaced still has the constructor that created it.
  expect(made[0]?.constructor.prototype).toBe(app.request)
  expect(made[1]?.constructor.prototype).toBe(app.response)
})
