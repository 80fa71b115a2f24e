// A price line without axes. It is decoration beside the numbers, so screen readers skip it.
const WIDTH = 88
const HEIGHT = 24

export function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value): value is number => value !== null && value > 0)
  if (known.length < 2) return <span class="faint">–</span>
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  const step = WIDTH / (known.length - 1)
  const line = known.map(
    (value, i) => `${(i * step).toFixed(1)},${(HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)).toFixed(1)}`,
  )
  const isUp = (known.at(-1) ?? 0) >= (known[0] ?? 0)
  return (
    <svg
      class={`spark ${isUp ? 'up' : 'down'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <polyline points={line.join(' ')} />
    </svg>
  )
}
