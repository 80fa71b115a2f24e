// Saved policies of the gate, which the keys of an account share. A lock on the account's row guards their number.
import type { Clock } from '../../base/clock.ts'
import { AssayError } from '../../base/errors.ts'
import type { Page, Paged } from '../../base/page.ts'
import type { GatePolicy as GatePolicyRow, Prisma } from '../../database/generated/client.ts'
import type { PrismaClient } from '../../database/prisma.ts'
import type { TokenFilter } from '../../fields/filter.ts'
import type { GateBounds } from '../../gate/policy.ts'
import { toStored } from './alert.ts'

export type { GatePolicyRow }

interface PolicyParts {
  bounds: GateBounds
  rules: string
  conditions: TokenFilter
}

export interface GatePolicies {
  /** By name. */
  list(accountId: number, page: Page): Promise<Paged<GatePolicyRow>>
  /** All names. */
  names(accountId: number): Promise<string[]>
  find(accountId: number, name: string): Promise<GatePolicyRow | null>
  /** Null: the account has one of this name. Throws FORBIDDEN if it has `limit` of them. */
  create(accountId: number, policy: PolicyParts & { name: string }, limit: number): Promise<GatePolicyRow | null>
  /** Null: the account has no such policy. */
  update(accountId: number, name: string, change: Partial<PolicyParts>): Promise<GatePolicyRow | null>
  /** Returns whether the account had it. */
  remove(accountId: number, name: string): Promise<boolean>
}

export function createGatePolicies(prisma: PrismaClient, clock: Clock): GatePolicies {
  const { gatePolicy } = prisma
  const namesOf = async (client: Prisma.TransactionClient, accountId: number) =>
    (await client.gatePolicy.findMany({ where: { accountId }, select: { name: true }, orderBy: { name: 'asc' } })).map(
      ({ name }) => name,
    )
  return {
    list: async (accountId, { offset, limit }) => {
      const where = { accountId }
      const orderBy = { name: 'asc' as const }
      const total = await gatePolicy.count({ where })
      return { total, items: await gatePolicy.findMany({ where, orderBy, skip: offset, take: limit }) }
    },
    names: (accountId) => namesOf(prisma, accountId),
    find: (accountId, name) => gatePolicy.findFirst({ where: { accountId, name } }),
    create: (accountId, { conditions, ...policy }, limit) =>
      prisma.$transaction(async (client) => {
        await client.$queryRaw`SELECT id FROM account WHERE id = ${accountId} FOR NO KEY UPDATE`
        const names = await namesOf(client, accountId)
        if (names.includes(policy.name)) return null
        if (names.length >= limit)
          throw new AssayError(
            'FORBIDDEN',
            `Your plan allows ${limit} saved policies, and you have ${names.length}: delete one, or change the plan.`,
          )
        const now = clock.now()
        const data = { ...policy, accountId, conditions: toStored(conditions), createdAt: now, updatedAt: now }
        return client.gatePolicy.create({ data })
      }),
    update: async (accountId, name, { conditions, ...change }) => {
      const data = { ...change, ...(conditions && { conditions: toStored(conditions) }), updatedAt: clock.now() }
      const [changed] = await gatePolicy.updateManyAndReturn({ where: { accountId, name }, data })
      return changed ?? null
    },
    remove: async (accountId, name) => (await gatePolicy.deleteMany({ where: { accountId, name } })).count > 0,
  }
}
