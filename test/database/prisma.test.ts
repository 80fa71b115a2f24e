import { expect, test } from 'vitest'
import { AssayError } from '../../src/base/errors.ts'
import { sendPrismaWith } from '../../src/database/prisma.ts'
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
