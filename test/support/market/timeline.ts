// The market's schedule: actions in order of time, one block per slot with actions, at least one block per half hour.
import type { MarketChain } from './chain.ts'

/** Seconds between possible blocks. */
const SLOT = 12
/** Seconds between empty blocks. */
const HEARTBEAT = 1_800

type Action = () => Promise<void>

export interface Timeline {
  /** Time of the newest slot, in seconds since 1970. */
  now(): number
  /** Runs the action in the slot of that time; a past time means the next slot. */
  at(time: number, action: Action): void
  /** Runs the action in the first block at or after that time that is mined anyway, so that it adds none. */
  ride(time: number, action: Action): void
  /** Runs until the time, and mines a last block then. */
  runUntil(time: number): Promise<void>
}

export function createTimeline(chain: MarketChain, start: number): Timeline {
  const slots = new Map<number, Action[]>()
  const order: number[] = []
  /** By time; of equal times the earlier call first. */
  const riders: { time: number; action: Action }[] = []
  let now = start
  let mined = start

  const slotOf = (time: number) => start + SLOT * Math.max(Math.ceil((time - start) / SLOT), (now - start) / SLOT + 1)

  function at(time: number, action: Action): void {
    const slot = slotOf(time)
    const actions = slots.get(slot)
    if (actions) actions.push(action)
    else {
      slots.set(slot, [action])
      push(order, slot)
    }
  }

  function ride(time: number, action: Action): void {
    const place = riders.findIndex((each) => each.time > time)
    riders.splice(place === -1 ? riders.length : place, 0, { time, action })
  }

  /** A rider of a rider waits for the next block. */
  async function mine(): Promise<void> {
    const ready = riders.findIndex(({ time }) => time > now)
    for (const { action } of riders.splice(0, ready === -1 ? riders.length : ready)) await action()
    await chain.mine(now)
    mined = now
  }

  return {
    now: () => now,
    at,
    ride,
    runUntil: async (end) => {
      while (now < end) {
        const next = order[0] ?? end
        const pause = mined + HEARTBEAT
        now = Math.min(next, pause, slotOf(end))
        const actions = next === now ? (slots.get(now) ?? []) : []
        if (next === now) {
          pop(order)
          slots.delete(now)
        }
        for (const action of actions) await action()
        if (chain.waiting() > 0 || now === pause || now >= end) await mine()
      }
    },
  }
}

/** Adds to a binary heap of numbers, smallest first. */
function push(heap: number[], value: number): void {
  let index = heap.push(value) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (heap[parent]! <= value) break
    heap[index] = heap[parent]!
    index = parent
  }
  heap[index] = value
}

function pop(heap: number[]): void {
  const value = heap.pop()
  if (value === undefined || heap.length === 0) return
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
    if (heap[child]! >= value) break
    heap[index] = heap[child]!
    index = child
  }
  heap[index] = value
}
