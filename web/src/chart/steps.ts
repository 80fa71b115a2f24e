// Work in steps, each after the browser has painted the previous one, so that no single step keeps a phone from
// answering a touch.

interface Steps {
  /** Runs the remaining steps at once. */
  finish(): void
  stop(): void
}

export function inSteps(steps: readonly (() => void)[]): Steps {
  const left = [...steps]
  const runNext = () => {
    left.shift()?.()
    if (left.length > 0) wait()
  }
  const wait = () => requestAnimationFrame(() => setTimeout(runNext, 0))
  wait()
  return {
    finish() {
      while (left.length > 0) left.shift()?.()
    },
    stop() {
      left.length = 0
    },
  }
}
