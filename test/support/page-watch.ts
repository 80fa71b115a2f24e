// Watches a page that stays open: every event that its tables ever showed, and its memory.
import type { CDPSession, Page } from 'playwright-core'

export interface PageWatch {
  /** The ids of the events that were ever a row of a table. */
  seen: ReadonlySet<string>
  /** Bytes of the heap after a collection, and nodes of the document. */
  weigh(): Promise<{ bytes: number; nodes: number }>
}

/** As text: a compiler that keeps the names of functions would put helpers into it which the page has not. */
const NOTE = `new MutationObserver((changes) => {
  const ids = changes
    .flatMap(({ addedNodes }) => [...addedNodes])
    .filter((node) => node instanceof Element)
    .flatMap((node) => [...(node.matches('tr[data-event]') ? [node] : []), ...node.querySelectorAll('tr[data-event]')])
    .map((row) => row.getAttribute('data-event'))
  if (ids.length > 0) noteEvents(ids)
}).observe(document, { childList: true, subtree: true })`

/** Call it before the page is opened. */
export async function watchPage(page: Page): Promise<PageWatch> {
  const seen = new Set<string>()
  await page.exposeFunction('noteEvents', (ids: string[]) => {
    for (const id of ids) seen.add(id)
  })
  await page.addInitScript({ content: NOTE })
  let session: CDPSession | undefined
  return {
    seen,
    weigh: async () => {
      session ??= await page.context().newCDPSession(page)
      // What finalisers let go is collected by the second one.
      for (const _ of [1, 2]) await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      const { nodes } = await session.send('Memory.getDOMCounters')
      return { bytes: usedSize, nodes }
    },
  }
}
