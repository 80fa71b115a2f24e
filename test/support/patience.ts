// How long tests wait for a thing. It is no measurement: it ends what hangs, also on a machine that has other work.

export const PATIENCE_MS = 240_000

const LOOK_MS = 25

/** Waits until a program outside of this process is there. `say` tells why it may not be. */
export async function untilThere(isThere: () => Promise<boolean> | boolean, say: () => string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await isThere())) {
    if (performance.now() > until) throw new Error(say())
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
