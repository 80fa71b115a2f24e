// Shows the progress of the index. On a terminal it is a bar. Elsewhere it is a log line every ten seconds while the
// index is behind, and one when it has caught up. Input: the indexer's progress.
import { createRate, type Progress, type Rate } from '../indexing/progress.ts'
import type { Context } from './context.ts'

/** Milliseconds between two log lines when there is no terminal. */
export const LINE_EVERY_MS = 10_000
/** A followed chain is a few blocks ahead between two polls: that does not count as behind. */
const BEHIND_BLOCKS = 10
/** Minimum number of blocks for a bar: fewer are indexed almost at once. */
const BAR_FROM_BLOCKS = 20

export interface ProgressView {
  show(progress: Progress): void
  /** Removes the bar. */
  end(): void
  last(): Progress | null
}

/** A view for the terminal, or for the log if there is none. */
export async function createProgressView(context: Pick<Context, 'terminal' | 'clock' | 'log'>): Promise<ProgressView> {
  const { clock, terminal } = context
  const drawn = terminal ? await createIndexBar() : createLines(context)
  const rateOf = createRate(clock)
  let last: Progress | null = null
  return {
    show: (progress) => {
      last = progress
      drawn.draw(progress, rateOf(progress))
    },
    end: () => drawn.end(),
    last: () => last,
  }
}

/** Formats seconds, such as `1h05m`, `3m20s`, `7s`. */
export function formatDuration(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)}h${two(Math.floor((seconds % 3_600) / 60))}m`
  return seconds >= 60 ? `${Math.floor(seconds / 60)}m${two(seconds % 60)}s` : `${seconds}s`
}

const leftOf = ({ secondsLeft }: Rate) => (secondsLeft === null ? '…' : formatDuration(secondsLeft))

/** A bar on standard error, which its end removes. `format` names `{bar}`, `{value}`, `{total}` and its own fields. */
export async function createBar(format: string) {
  const { SingleBar } = (await import('cli-progress')).default
  const options = { hideCursor: true, clearOnComplete: true, barsize: 24, stream: process.stderr }
  const bar = new SingleBar({ format, ...options })
  let active = false
  return {
    draw: ({ value, total }: { value: number; total: number }, fields: Record<string, string>) => {
      if (active) bar.setTotal(total)
      else bar.start(total, value, fields)
      active = true
      bar.update(value, fields)
    },
    isDrawn: () => active,
    end: () => {
      if (active) bar.stop()
      active = false
    },
  }
}

async function createIndexBar() {
  const bar = await createBar('indexing {bar} block {value} of {total} | {rate} logs/s | {left} left')
  return {
    draw: ({ block, target }: Progress, rate: Rate) => {
      if (!bar.isDrawn() && target - block < BAR_FROM_BLOCKS) return
      const fields = { rate: rate.logsPerSecond.toLocaleString('en'), left: leftOf(rate) }
      bar.draw({ value: block, total: target }, fields)
    },
    end: bar.end,
  }
}

function createLines({ clock, log }: Pick<Context, 'clock' | 'log'>) {
  let nextMs = clock.monotonicMs() + LINE_EVERY_MS
  let wasBehind = false
  return {
    draw: (progress: Progress, rate: Rate) => {
      const isBehind = progress.target - progress.block > BEHIND_BLOCKS
      wasBehind ||= isBehind
      if (clock.monotonicMs() < nextMs || !wasBehind) return
      wasBehind = isBehind
      nextMs = clock.monotonicMs() + LINE_EVERY_MS
      const { block, target } = progress
      log().info({ block, target, logsPerSecond: rate.logsPerSecond, left: leftOf(rate) }, 'indexing')
    },
    end: () => {},
  }
}
