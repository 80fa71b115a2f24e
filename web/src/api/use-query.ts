// A query of a component: runs when its variables, the key or the block change, and keeps the last answer until the
// next one comes. Answers of former pages are cached for a while, so that going back sends no query and moves nothing.
import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, type Failure, toFailure } from './ask.ts'
import type { Document } from './graphql.ts'
import { key } from './key.ts'
import { refresh, tick } from './live.ts'

export interface Query<R> {
  data: R | null
  failure: Failure | null
  isLoading: boolean
}

interface State<R> {
  /** The subject of the data. */
  about: string
  data: R | null
  failure: Failure | null
}

const EMPTY = { about: '', data: null, failure: null }

/** Cached answers. */
const MOST_KEPT = 16

interface Kept {
  data: unknown
  /** The round of refreshes of the answer. */
  round: number
}

/** By the key, the document and its variables. */
const kept = new Map<string, Kept>()

function keep(name: string, answer: Kept): void {
  kept.delete(name)
  kept.set(name, answer)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) return
    kept.delete(oldest)
  }
}

/**
 * `variables` null: no query is sent. Until the next answer, the last one stays if it has the same `subject`; without a
 * subject, only if it has the same variables.
 */
export function useQuery<R, V>(document: Document<R, V>, variables: V | null, subject?: string): Query<R> {
  const secret = key.value
  const round = tick.value
  const of = `${secret} ${document as unknown as string} ${JSON.stringify(variables)}`
  const about = subject ?? of
  const [state, setState] = useState<State<R>>(EMPTY)
  const latest = useRef(variables)
  latest.current = variables
  // biome-ignore lint/correctness/useExhaustiveDependencies: `of` stands for the key, the document and its variables, `round` for a block.
  useEffect(() => {
    if (!secret || latest.current === null) return
    const known = kept.get(of)
    if (known) setState({ about, data: known.data as R, failure: null })
    if (known?.round === round) return
    const ending = new AbortController()
    let retry: ReturnType<typeof setTimeout> | undefined
    ask(document, latest.current, ending.signal)
      .then((data) => {
        keep(of, { data, round })
        setState({ about, data, failure: null })
      })
      .catch((error: unknown) => {
        if (ending.signal.aborted) return
        const failure = toFailure(error)
        setState((before) => ({ about, data: before.about === about ? before.data : null, failure }))
        if (failure.retryAfter !== null) retry = setTimeout(refresh, Math.min(failure.retryAfter, 3_600) * 1_000)
      })
    return () => {
      ending.abort()
      clearTimeout(retry)
    }
  }, [of, secret, round])
  if (state.about === about) return { data: state.data, failure: state.failure, isLoading: false }
  // A page to which the reader returns appears at once, so that its scroll position can be restored.
  const data = (kept.get(of)?.data as R | undefined) ?? null
  return { data, failure: null, isLoading: data === null }
}
