// Attacks by the node that the index follows: answers that are small for a network and large in memory.
import { type Attack, pause, type Target } from './attack.ts'
import { beside } from './setting.ts'

const BYTES = 15_000_000
const LASTS_MS = 10_000
/** An endpoint that fails rests for 15 s at most. */
const RESTS_MS = 25_000

/** Answers everything with the text, then as a node again: the index must go on by itself. */
async function answerWith({ tally, signal }: Target, name: string, text: string): Promise<void> {
  const { node } = beside
  if (!node) return tally.fault('there is no node')
  node.answerWith(text)
  const untilMs = performance.now() + LASTS_MS
  while (performance.now() < untilMs && !signal.aborted) {
    await Promise.race([node.asked(), pause(LASTS_MS, signal)])
    tally.add(name)
  }
  node.answerWith(null)
  const isAsked = await Promise.race([node.asked().then(() => true), pause(RESTS_MS).then(() => false)])
  if (!isAsked) tally.fault('the node is asked no more')
}

export const nodeAttacks: Attack[] = [
  {
    setting: 'node',
    name: '15 MB of [[[ from an RPC',
    lastsMs: LASTS_MS + RESTS_MS + 5_000,
    run: (target) => answerWith(target, 'answered [[[', '['.repeat(BYTES)),
    allowed: /^answered \[\[\[$/,
    needed: /^answered \[\[\[$/,
  },
]
