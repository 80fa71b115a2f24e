// A query of a component: runs when its variables, the key or the block change, and keeps the last answer while the next is
// on its way.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, Failure } from './ask.ts'
import type { Document } from './graphql.ts'
import { key } from './key.ts'
import { refresh, tick } from './live.ts'

export interface Query<R> {
  data: R | null
  failure: Failure | null
  isLoading: boolean
}

const EMPTY = { data: null, failure: null, isLoading: true }

/** `variables` null: nothing is asked. */
export function useQuery<R, V>(document: Document<R, V>, variables: V | null): Query<R> {
  const [query, setQuery] = useState<Query<R> & { of: string }>({ ...EMPTY, of: '' })
  const of = `${document as unknown as string} ${JSON.stringify(variables)}`
  const secret = key.value
  const round = tick.value
  const latest = useRef(variables)
  latest.current = variables
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` stands for the document and its variables, `round` for a block.
  useEffect(() => {
    if (!secret || latest.current === null) return
    const ending = new AbortController()
    let retry: ReturnType<typeof setTimeout> | undefined
    ask(document, latest.current, ending.signal)
      .then((data) => setQuery({ data, failure: null, isLoading: false, of }))
      .catch((error: unknown) => {
        if (ending.signal.aborted) return
        const failure = error instanceof Failure ? error : new Failure('UNKNOWN', String(error), null)
        setQuery((before) => ({ data: before.of === of ? before.data : null, failure, isLoading: false, of }))
        if (failure.retryAfter !== null) retry = setTimeout(refresh, Math.min(failure.retryAfter, 3_600) * 1_000)
      })
    return () => {
      ending.abort()
      clearTimeout(retry)
    }
  }, [of, secret, round])
  return query.of === of ? query : { ...query, data: null, failure: null, isLoading: true }
}
