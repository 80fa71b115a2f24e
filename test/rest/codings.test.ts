import { get } from 'node:http'
import { expect, test } from 'vitest'
import { NO_HEAD } from '../../src/ledger/head.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestServer } from '../support/rest.ts'

test('an Accept-Encoding of more than a thousand characters is not read, and the answer is not compressed', async () => {
  const database = await createTestDatabase()
  const execute = async () => ({ answer: { items: [], text: 'x'.repeat(10_000) }, head: NO_HEAD })
  const server = await createTestServer({ database, execute })
  const { authorization } = await server.knock()
  const codingFor = (codings: string) =>
    new Promise((resolve, reject) => {
      const headers = { authorization, 'accept-encoding': codings }
      get(`${server.url}/v1/scores/token/0x${'ab'.repeat(20)}`, { headers }, (response) => {
        response.resume()
        resolve([response.statusCode, response.headers['content-encoding']])
      }).on('error', reject)
    })
  expect(await codingFor('gzip')).toEqual([200, 'gzip'])
  expect(await codingFor(`gzip,${'a'.repeat(995)}`)).toEqual([200, 'gzip'])
  expect(await codingFor(`gzip,${'a'.repeat(996)}`)).toEqual([200, undefined])
})
