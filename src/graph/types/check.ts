// A contract check that a caller asks for: it is made before those that nobody waits for, and the answer waits for it.
import { parseAddress } from '../../base/address.ts'
import { moveDeadline } from '../../base/deadline.ts'
import { AssayError } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { tellMissing } from '../../ledger/safety/ask.ts'
import { CHECK_STATES, type CheckState } from '../../ledger/safety/desk.ts'
import type { GraphContext } from '../context.ts'
import { asLongAs, PART } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'

/** The price of a check, which sends dozens of calls to the node. */
export const CHECK_REQUESTS = 10
/** The longest wait for a check. */
const CHECK_WITHIN_MS = 15_000
/** Time for the rest of the answer. */
const MARGIN_MS = 5_000
/** A check of the last seconds of the chain answers instead of a new one. */
const FRESH_SECONDS = 10

const CheckStateEnum = builder.enumType('CheckState', {
  description: 'What became of a request for a contract check.',
  values: described(CHECK_STATES, {
    checked: 'The newest check is of the last seconds, or was made for this request.',
    waits: 'The check is not over yet: it follows, before those that nobody asked for.',
    failed: 'The node did not answer the check; it is tried again after five minutes.',
    checks_off: 'The operator switched contract checks off.',
    vouched_by_preset: 'It is a stablecoin or the wrapped native coin of the preset, which are not checked.',
    not_erc20: 'It is no token whose contract is checked, such as the share of a pool.',
  }),
})

interface Checked {
  state: CheckState
  address: string
}

const PayloadObject = builder.objectRef<Checked>('TokenCheckPayload').implement({
  extensions: PART,
  description: 'What became of a request for a contract check, and the token after it.',
  fields: (t) => ({
    state: t.expose('state', { type: CheckStateEnum, description: 'What became of the request.' }),
    token: t.field({
      type: TokenObject,
      description: 'The token, after the check. `sellCheck` names the block of the check.',
      resolve: async ({ address }, _, { loaders }) => {
        const token = await loaders.tokenByAddress.load(address)
        if (!token) throw new AssayError('NOT_FOUND', 'This token is not indexed any more.')
        return token
      },
    }),
  }),
})

async function check(given: string, { checks, signal, database }: GraphContext): Promise<Checked> {
  const address = parseAddress(given)
  if (!checks || !address) throw new AssayError('NOT_FOUND', 'Nobody can ask for checks here.')
  moveDeadline(signal, CHECK_WITHIN_MS + MARGIN_MS)
  const state = await checks.check(address, { withinMs: CHECK_WITHIN_MS, freshSeconds: FRESH_SECONDS }, signal)
  if (state === null) throw new AssayError('NOT_FOUND', await tellMissing(database.requestPool, address))
  return { state, address }
}

builder.mutationFields((t) => ({
  tokenCheck: t.field({
    type: PayloadObject,
    description: `Checks the contract of a token now, before those that nobody asked for, and waits up to ${CHECK_WITHIN_MS / 1_000} s. One check serves all who wait for it. It costs ${CHECK_REQUESTS} requests. Fails with NOT_FOUND if the token is not indexed.`,
    args: { address: t.arg({ type: 'Address', required: true, description: 'The address of the token contract.' }) },
    extensions: asLongAs(CHECK_REQUESTS * MAX_LIMIT),
    resolve: (_, { address }, context) => check(address, context),
  }),
}))
