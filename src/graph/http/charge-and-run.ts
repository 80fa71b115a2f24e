// Yoga plugins that charge an operation and then run it: a query or mutation at one block, a subscription as a stream.
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { AssayError } from '../../base/errors.ts'
import type { Streams } from '../../stream/streams.ts'
import { boundAnswer } from '../cost/answer-size.ts'
import { refuse, toGraphqlError } from '../errors.ts'
import { chargeFor } from '../run/gate.ts'
import type { IdempotencyStore } from '../run/idempotency.ts'
import { isMutation, runOnce } from '../run/mutation.ts'
import type { Operation, Run } from '../run/run.ts'
import { isContinued, openSubscription, type SubscribeDeps } from '../run/subscribe.ts'
import type { OpenedStream, ServerContext } from './request-context.ts'

/** Charges the query's price beyond the one request that the guard charged, then runs it at one block. */
export const chargeAndRun = (run: Run, idempotency: IdempotencyStore): Plugin<ServerContext> => ({
  onExecute: ({ args, setExecuteFn }) => {
    const { document, variableValues, operationName } = args
    const context = args.contextValue as unknown as ServerContext
    const { caller, charge, signal, made, budget, idempotencyKey, refused } = context
    const onUncacheable = () => {
      made.isUncacheable = true
    }
    const operation = { document, variables: variableValues ?? {}, operationName, caller, signal, onUncacheable }
    if (isMutation(operation)) onUncacheable()
    setExecuteFn(async () => {
      const refusal = refused ? toGraphqlError(refused) : await chargeFor(operation, budget?.requests ?? 1, charge)
      if (refusal) return { errors: [refusal] }
      const work = async (newAlertId?: string) => {
        const { result, head } = await run({ ...operation, newAlertId })
        made.head = head
        return boundAnswer(result, budget?.fields ?? 0)
      }
      if (idempotencyKey === undefined || !isMutation(operation)) return work()
      const { result, isReplayed } = await runOnce(idempotency, operation, idempotencyKey, work)
      made.isReplayed = isReplayed
      return result
    })
  },
})

/** Charges the price of opening a subscription, and opens its stream. */
export const chargeAndSubscribe = (deps: SubscribeDeps, streams: Streams | undefined): Plugin<ServerContext> => ({
  onSubscribe: ({ args, setSubscribeFn }) => {
    const { document, variableValues, operationName } = args
    const { caller, charge, budget, readsStreams, opened } = args.contextValue as unknown as ServerContext
    const operation = { document, variables: variableValues ?? {}, operationName, caller }
    setSubscribeFn(async () => {
      if (!streams || !readsStreams)
        return { errors: [refuse('A subscription is a stream: send Accept: text/event-stream.')] }
      const refusal = await chargeFor(operation, budget?.requests ?? 1, charge)
      if (refusal) return { errors: [refusal] }
      try {
        opened.stream = await open(operation, { caller, charge, budget: budget ?? null }, streams, deps)
        return { data: null }
      } catch (error) {
        if (error instanceof AssayError && error.code === 'RATE_LIMITED') await charge.refund()
        if (error instanceof GraphQLError) return { errors: [error] }
        return { errors: [deps.mask(error)] }
      }
    })
  },
})

/** Takes a place for the stream; throws the limit that is reached. */
async function open(
  operation: Operation,
  { caller, charge, budget }: Pick<ServerContext, 'caller' | 'charge' | 'budget'>,
  { sessions, openEvents, tokens, screens, rows, alerts, checkSteps }: Streams,
  deps: SubscribeDeps,
): Promise<OpenedStream> {
  const session = await sessions.open({ caller, charge, replaces: isContinued(operation) })
  const reader = { accountId: caller.accountId, signal: session.signal }
  const parts = { openEvents, tokens, screens, rows, alerts, checkSteps, reader }
  try {
    const subscribed = await openSubscription(operation, budget ?? { fields: 0, items: 0 }, parts, deps)
    if (!('errors' in subscribed)) return { ...subscribed, session }
    throw subscribed.errors[0] ?? new Error('a subscription was not opened')
  } catch (error) {
    session.close()
    throw error
  }
}
