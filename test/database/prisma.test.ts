import { expect, test } from 'vitest'
import { AssayError } from '../../src/base/errors.ts'
import { sendPrismaWith } from '../../src/database/prisma.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('the reason why a statement of Prisma was refused reaches the caller as it was', async () => {
  const refusal = new AssayError('SERVICE_UNAVAILABLE', 'Nobody waits for this answer any more.')
  const refused = sendPrismaWith(database.prisma, () => Promise.reject(refusal))
  await expect(refused.token.findMany()).rejects.toBe(refusal)
})

test('what is wrong with a statement itself is an error of Prisma', async () => {
  const sent = sendPrismaWith(database.prisma, () => Promise.reject(new Error('no such column')))
  await expect(sent.token.findMany()).rejects.not.toBeInstanceOf(AssayError)
})
