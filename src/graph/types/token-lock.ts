// Locks of tokens: the amount, the locker and owner, and the end.
import { counts } from '../../scoring/locks.ts'
import { builder } from '../schema/builder.ts'
import { TokenLockObject } from '../schema/refs.ts'

builder.prismaObjectFields(TokenLockObject, (t) => ({
  locker: t.field({
    type: 'Address',
    description: 'The address of the locker, or of another contract that keeps the shares.',
    resolve: (lock) => lock.locker,
  }),
  owner: t.field({
    type: 'Address',
    nullable: true,
    description:
      'The owner in the log of the locker. Null if the log names none, or if several owners locked for the same day without lock numbers.',
    resolve: (lock) => lock.owner,
  }),
  sharePct: t.float({
    description:
      "The amount that the locker really holds for this lock, in percent of the supply, or of the pool's shares.",
    resolve: (lock) => lock.sharePct,
  }),
  endsAt: t.expose('endsAt', { type: 'DateTime' }),
  counts: t.boolean({
    description: 'Whether scores count it as locked: only if it ends more than 30 days after the hour of the block.',
    resolve: ({ endsAt }, _, { reading }) =>
      counts({ endsAt: endsAt.getTime() / 1_000 }, Math.floor(reading.head.time.getTime() / 3_600_000) * 3_600),
  }),
}))
