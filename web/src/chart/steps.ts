// Work in steps, each after the browser has painted the previous one, so that no single step keeps a phone from
// answering a touch.

/** Returns a function that stops it. */
export function inSteps(steps: readonly (() => void)[]): () => void {
  let isStopped = false
  const runFrom = (index: number) =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (isStopped || index >= steps.length) return
        steps[index]?.()
        runFrom(index + 1)
      }, 0),
    )
  runFrom(0)
  return () => {
    isStopped = true
  }
}
