// Follows the newest block. /readyz tells it, costs nothing and needs no key; queries run again when it changed, as often as
// the plan allows. A hidden page asks nothing.
import { signal } from '@preact/signals'
import { pace } from './pace.ts'

const POLL_MS = 3_000

interface Head {
  block: number
  time: string
  lag: number
}

/** The newest block; null before the first answer. */
export const head = signal<Head | null>(null)
/** Why there is no fresh block, in a sentence; null when there is. */
export const trouble = signal<string | null>(null)
/** Grows when queries should run again. */
export const tick = signal(0)

let lastTick = 0
let due: ReturnType<typeof setTimeout> | undefined

/** Runs the queries again, now. */
export function refresh(): void {
  clearTimeout(due)
  due = undefined
  lastTick = Date.now()
  tick.value += 1
}

function refreshSoon(): void {
  due ??= setTimeout(refresh, Math.max(0, lastTick + pace() - Date.now()))
}

async function poll(): Promise<void> {
  try {
    const response = await fetch('/readyz', { cache: 'no-store' })
    const answer = await response.json()
    if (!response.ok) {
      trouble.value = answer?.error?.message ?? 'The server is not ready.'
      return
    }
    trouble.value = null
    const before = head.value
    if (before?.block === answer.block && before?.time === answer.block_time) return
    head.value = { block: answer.block, time: answer.block_time, lag: answer.lag_blocks }
    if (before) refreshSoon()
  } catch {
    trouble.value = 'The server cannot be reached.'
  }
}

/** Starts to follow; for the whole life of the page. */
export function follow(): void {
  lastTick = Date.now()
  const loop = async () => {
    if (document.hidden) return
    await poll()
    clearTimeout(next)
    if (!document.hidden) next = setTimeout(loop, POLL_MS)
  }
  let next: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(next)
    if (document.hidden) {
      clearTimeout(due)
      due = undefined
    } else void loop()
  })
  void loop()
}
