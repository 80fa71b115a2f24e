// Data that somebody asks for with a button, because it is charged beside the page.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Failure, toFailure } from '../api/ask.ts'
import { duration } from '../format.ts'

type State<Data> = { data: Data } | { failure: Failure } | 'asking' | null

interface AskedProps<Data> {
  /** Whose data it is: for another one the button comes back. */
  of: string
  ask(signal: AbortSignal): Promise<Data | null>
  button: string
  busy: string
  /** What comes. */
  note: string
  children(data: Data): ComponentChildren
}

export function Asked<Data>({ of, ask, button, busy, note, children }: AskedProps<Data>) {
  const [state, setState] = useState<State<Data>>(null)
  const ending = useRef<AbortController | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token begins anew.
  useEffect(() => {
    setState(null)
    return () => ending.current?.abort()
  }, [of])
  const look = () => {
    const controller = new AbortController()
    ending.current = controller
    setState('asking')
    ask(controller.signal)
      .then((data) => data && setState({ data }))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setState({ failure: toFailure(error) })
      })
  }
  if (state !== null && state !== 'asking' && 'data' in state) return <>{children(state.data)}</>
  return (
    <div class="note row">
      <button type="button" disabled={state === 'asking'} onClick={look}>
        {state === 'asking' ? busy : button}
      </button>
      <span>{note}</span>
      {state !== null && state !== 'asking' && (
        <p class="bad" role="alert">
          {state.failure.message}
          {state.failure.retryAfter !== null && ` Try again in ${duration(state.failure.retryAfter, 'long')}.`}
        </p>
      )}
    </div>
  )
}
