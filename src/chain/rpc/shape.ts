// Pure. Whether JSON is too nested for an answer of a node. JSON.parse takes sixty bytes per bracket, so a hostile
// answer that is small on the wire would fill the memory.

/** The deepest nesting of objects and arrays; a block with its transactions has five levels. */
const MAX_DEPTH = 64
/** The most objects and arrays in an answer. */
const MAX_CONTAINERS = 1_000_000
/** A smaller answer is harmless, whatever its content. */
const HARMLESS_BYTES = 256 * 1024

const [QUOTE, BACKSLASH, OPEN, CLOSE, BEGIN, END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether the bytes nest too deep, or have too many objects and arrays, to be parsed. */
export function isExcessive(bytes: Uint8Array, mostDepth = MAX_DEPTH): boolean {
  if (bytes.length <= HARMLESS_BYTES) return false
  let depth = 0
  let containers = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPEN || byte === BEGIN) {
      depth += 1
      containers += 1
      if (depth > mostDepth || containers > MAX_CONTAINERS) return true
    } else if (byte === CLOSE || byte === END) depth -= 1
  }
  return false
}
