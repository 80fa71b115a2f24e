// The places of the circles of a bubble map: areas by share, linked ones close together, none over another. The same
// input gives the same places.

interface Bubble {
  address: string
  /** Percent of the supply; 0: it holds nothing, and only links others. */
  pct: number
}

interface Placed extends Bubble {
  x: number
  y: number
  radius: number
}

interface Size {
  width: number
  height: number
}

/** Part of the picture that circles may cover. */
const COVERED = 0.32
export const LEAST_RADIUS = 5
/** Free space between circles. */
const GAP = 3
const ROUNDS = 240
/** The golden angle spreads circles evenly around the middle. */
const ANGLE = Math.PI * (3 - Math.sqrt(5))

export function placeBubbles(
  bubbles: readonly Bubble[],
  links: readonly (readonly [from: string, to: string])[],
  size: Size,
): Placed[] {
  const placed = begin(bubbles, size)
  const byAddress = new Map(placed.map((one) => [one.address, one]))
  const pairs = links.flatMap(([from, to]) => {
    const [a, b] = [byAddress.get(from), byAddress.get(to)]
    return a && b ? [[a, b] as const] : []
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    const force = 1 - round / ROUNDS
    for (const [a, b] of pairs) pull(a, b, 0.12 * force)
    for (const one of placed) {
      // Wide pictures pull less sideways than upwards.
      one.x += (size.width / 2 - one.x) * 0.012 * force * (size.height / size.width)
      one.y += (size.height / 2 - one.y) * 0.012 * force
    }
    separate(placed)
    for (const one of placed) keepInside(one, size)
  }
  return placed
}

function begin(bubbles: readonly Bubble[], { width, height }: Size): Placed[] {
  const all = bubbles.reduce((sum, { pct }) => sum + pct, 0)
  const unit = Math.sqrt((COVERED * width * height) / Math.PI / Math.max(all, 1))
  return bubbles.map((bubble, index) => {
    const far = Math.sqrt(index / Math.max(1, bubbles.length))
    return {
      ...bubble,
      x: width / 2 + (width / 2.4) * far * Math.cos(index * ANGLE),
      y: height / 2 + (height / 2.4) * far * Math.sin(index * ANGLE),
      radius: Math.max(LEAST_RADIUS, unit * Math.sqrt(bubble.pct)),
    }
  })
}

/** Moves two linked circles to each other until they nearly touch. */
function pull(a: Placed, b: Placed, by: number): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const distance = Math.hypot(dx, dy) || 1
  const move = (by * Math.max(0, distance - a.radius - b.radius - 4 * GAP)) / distance / 2
  a.x += dx * move
  a.y += dy * move
  b.x -= dx * move
  b.y -= dy * move
}

/** Pushes circles apart that cover each other; the smaller one goes farther. */
function separate(placed: readonly Placed[]): void {
  for (const [index, a] of placed.entries())
    for (const b of placed.slice(index + 1)) {
      const [dx, dy] = [b.x - a.x, b.y - a.y]
      const distance = Math.hypot(dx, dy) || 0.01
      const overlap = a.radius + b.radius + GAP - distance
      if (overlap <= 0) continue
      const share = a.radius / (a.radius + b.radius)
      const [x, y] = [(dx / distance) * overlap, (dy / distance) * overlap]
      a.x -= x * (1 - share)
      a.y -= y * (1 - share)
      b.x += x * share
      b.y += y * share
    }
}

function keepInside(one: Placed, { width, height }: Size): void {
  one.x = Math.min(width - one.radius, Math.max(one.radius, one.x))
  one.y = Math.min(height - one.radius, Math.max(one.radius, one.y))
}
