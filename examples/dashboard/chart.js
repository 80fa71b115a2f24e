// Candles and lines as SVG, of points with a time.
const WIDTH = 1000
const HEIGHT = 180
const make = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

function frame(label, low, high) {
  const svg = make('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
  })
  const span = high - low || Math.abs(high) || 1
  return { svg, y: (value) => HEIGHT - 8 - ((value - low) / span) * (HEIGHT - 16) }
}

export function candles(label, points) {
  const known = points.filter(({ closeUsd }) => closeUsd !== null)
  const { svg, y } = frame(label, Math.min(...known.map((p) => p.lowUsd)), Math.max(...known.map((p) => p.highUsd)))
  const step = WIDTH / Math.max(1, points.length)
  points.forEach((point, at) => {
    if (point.closeUsd === null) return
    const colour = point.closeUsd >= point.openUsd ? '#178a4c' : '#c8372d'
    const x = (at + 0.5) * step
    svg.append(make('line', { x1: x, x2: x, y1: y(point.highUsd), y2: y(point.lowUsd), stroke: colour }))
    const [top, bottom] = [y(Math.max(point.openUsd, point.closeUsd)), y(Math.min(point.openUsd, point.closeUsd))]
    svg.append(
      make('rect', { x: x - step * 0.35, width: step * 0.7, y: top, height: Math.max(1, bottom - top), fill: colour }),
    )
  })
  return svg
}

/** `fromZero`: whether 0 is in sight. */
export function line(label, points, pick, fromZero = true) {
  const values = points.map(pick).filter((value) => value !== null && value !== undefined)
  const base = fromZero || values.length === 0 ? [0] : []
  const { svg, y } = frame(label, Math.min(...values, ...base), Math.max(...values, ...base))
  const step = WIDTH / Math.max(1, points.length - 1)
  const path = points
    .flatMap((point, at) =>
      pick(point) === null || pick(point) === undefined ? [] : [`${at * step},${y(pick(point))}`],
    )
    .join(' ')
  svg.append(
    make('polyline', {
      points: path,
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2,
      'vector-effect': 'non-scaling-stroke',
    }),
  )
  return svg
}
