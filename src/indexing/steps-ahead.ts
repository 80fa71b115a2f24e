// Reads the next step of the chain while the one before it is scored. Input: steps. Output: the same steps in the same
// order, at most one of them read early.
import type { Step } from '../chain/event.ts'

export interface StepsAhead extends AsyncIterable<Step> {
  /** Begins to read the next step. Call it once all that the last one asked for is written. */
  begin(): void
  /** Whether a step that was begun early waits: blocks, a rollback, a fault or the end. */
  isHere(): boolean
}

/** Steps that change rows which readers wait for. */
const PRESSING = new Set<Step['kind']>(['append', 'rollback'])

/** Takes the steps over; the iteration's end ends them. */
export function createStepsAhead(steps: AsyncGenerator<Step>): StepsAhead {
  let next: Promise<IteratorResult<Step>> | null = null
  let isHere = false
  const begin = () => {
    if (next) return
    const begun = steps.next()
    next = begun
    const arrive = (isPressing: boolean) => {
      if (next === begun) isHere = isPressing
    }
    // Whoever takes the step gets its error. Until then Node must not report it as unhandled.
    begun.then(
      ({ done, value }) => arrive(done === true || PRESSING.has(value.kind)),
      () => arrive(true),
    )
  }
  return {
    begin,
    isHere: () => isHere,
    [Symbol.asyncIterator]: () => ({
      next: () => {
        begin()
        const taken = next ?? steps.next()
        next = null
        isHere = false
        return taken
      },
      // A step that is still being read must not hold up the caller's end.
      return: async (value?: unknown) => {
        steps.return(value).catch(() => {})
        return { done: true, value: undefined }
      },
    }),
  }
}
