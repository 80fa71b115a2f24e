// Follows the newest block. /readyz has it, costs nothing and needs no key; queries run again when it changed, as often
// as the plan allows. A hidden page sends nothing.

import { computed, signal } from '@preact/signals'
import { onChain } from '../chain.ts'
import { pace } from './pace.ts'

const POLL_MS = 3_000
/** How long to wait for an answer of /readyz. */
const WAIT_MS = 5_000
/** The page mentions data that is older than the newest block by more than this. */
const STALE_MS = 30_000

interface Head {
  block: number
  time: string
  lag: number
}

/** The newest block; null before the first answer. */
export const head = signal<Head | null>(null)
/** Why there is no fresh block, in a sentence; null when there is one. */
export const trouble = signal<string | null>(null)
/** Grows when queries should run again. */
export const tick = signal(0)

/** Since when the shown data is not the newest; null while it is. */
const oldSince = signal<number | null>(null)
const lastPoll = signal(Date.now())

/** Since when the page shows old data, once that is worth a note; null before. */
export const staleSince = computed(() => {
  const since = oldSince.value
  if (since === null) return null
  return trouble.value !== null || lastPoll.value - since > STALE_MS ? since : null
})

let lastTick = 0
let due: ReturnType<typeof setTimeout> | undefined

/** Runs the queries again, now. */
export function refresh(): void {
  clearTimeout(due)
  due = undefined
  lastTick = Date.now()
  if (trouble.value === null) oldSince.value = null
  tick.value += 1
}

function refreshSoon(): void {
  due ??= setTimeout(refresh, Math.max(0, lastTick + pace() - Date.now()))
}

/** The shown data is as new as the last answer. */
function fail(reason: string): void {
  oldSince.value ??= lastPoll.value
  trouble.value = reason
}

async function poll(): Promise<void> {
  try {
    const response = await fetch(onChain('/readyz'), { cache: 'no-store', signal: AbortSignal.timeout(WAIT_MS) })
    const answer = await response.json()
    if (!response.ok) return fail(answer?.error?.message ?? 'The server is not ready.')
    const wasTrouble = trouble.value !== null
    trouble.value = null
    lastPoll.value = Date.now()
    const before = head.value
    if (before?.block === answer.block && before?.time === answer.block_time) {
      if (wasTrouble) refreshSoon()
      return
    }
    head.value = { block: answer.block, time: answer.block_time, lag: answer.lag_blocks }
    if (!before) return
    oldSince.value ??= Date.now()
    refreshSoon()
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    fail(isLate ? 'The server does not answer.' : 'The server cannot be reached.')
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
