// Bodies of answers in memory that is used again: a new piece for each would be most of what the collector of this thread
// has to find. Comes in: a response; goes out: its bytes, until they are given back.

/** Pieces that wait to be used again. */
const SPARE = 4

export interface Bodies {
  /** The whole body in one piece. Null: larger than `most` bytes. */
  read(response: Response, most: number): Promise<Buffer | null>
  /** Nobody reads the bytes any more. */
  giveBack(bytes: Buffer): void
}

export function createBodies(): Bodies {
  const spare: ArrayBuffer[] = []
  const take = (size: number): Buffer => {
    const fitting = spare.findIndex(({ byteLength }) => byteLength >= size)
    const [memory] = fitting < 0 ? [new ArrayBuffer(size)] : spare.splice(fitting, 1)
    return Buffer.from(memory as ArrayBuffer, 0, size)
  }
  return {
    async read({ headers, body }, most) {
      const reader = body?.getReader()
      const chunks: Uint8Array[] = []
      let size = 0
      for (let isLarge = Number(headers.get('content-length')) > most; ; isLarge = size > most) {
        if (isLarge) {
          await reader?.cancel()
          return null
        }
        const chunk = (await reader?.read())?.value
        if (!chunk) break
        size += chunk.byteLength
        chunks.push(chunk)
      }
      const bytes = take(size)
      let at = 0
      for (const chunk of chunks) {
        bytes.set(chunk, at)
        at += chunk.byteLength
      }
      return bytes
    },
    giveBack({ buffer }) {
      spare.push(buffer as ArrayBuffer)
      spare.sort((a, b) => a.byteLength - b.byteLength)
      if (spare.length > SPARE) spare.shift()
    },
  }
}
