import { expect, onTestFinished, test } from 'vitest'
import { AssayError } from '../../src/base/errors.ts'
import { openDatabase } from '../../src/database/client.ts'
import { openPrisma, sendPrismaWith } from '../../src/database/prisma.ts'
import { isAway, isBrokenOff } from '../../src/database/transient-error.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('the reason why a statement of Prisma was refused reaches the caller as it was', async () => {
  const refusal = new AssayError('SERVICE_UNAVAILABLE', 'Nobody waits for this answer any more.')
  const refused = sendPrismaWith(database.prisma, () => Promise.reject(refusal))
  await expect(refused.token.findMany()).rejects.toBe(refusal)
})

test('a fault of a statement itself is an error of Prisma', async () => {
  const sent = sendPrismaWith(database.prisma, () => Promise.reject(new Error('no such column')))
  await expect(sent.token.findMany()).rejects.not.toBeInstanceOf(AssayError)
})

test.each([
  ['57P03', 'the database system is starting up'],
  ['57P01', 'terminating connection due to administrator command'],
  ['ECONNRESET', 'read ECONNRESET'],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'],
])('a server that stops or starts (%s) is recognised inside an error of Prisma', async (code, message) => {
  const fault = Object.assign(new Error(message), { code, syscall: 'connect', errno: -1, severity: 'FATAL' })
  const sent = sendPrismaWith(database.prisma, () => Promise.reject(fault))
  const error = await sent.token.findMany().catch((thrown: unknown) => thrown)
  expect([isBrokenOff(error), isAway(error)]).toEqual([true, true])
})

test('a server without a free connection is away for Prisma too', async () => {
  const role = `full_${process.pid}`
  await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 0`)
  onTestFinished(async () => void (await database.pool.query(`DROP ROLE ${role}`)))
  const url = new URL(database.url)
  url.username = role
  url.password = 'x'
  const full = openDatabase(url.href, { size: 1 })
  const prisma = openPrisma(full)
  const error = await prisma.token.findMany().catch((thrown: unknown) => thrown)
  expect([isAway(error), String(error)]).toEqual([true, expect.stringMatching(/too many connections/i)])
  await prisma.$disconnect()
  await full.close()
})
