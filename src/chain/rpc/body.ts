// Reads response bodies into reused buffers: a new buffer per answer would cause most of the garbage collections of
// this thread. Input: a response. Output: its bytes, until the caller releases them.

/** Maximum number of idle buffers. */
const SPARE = 4

export interface Bodies {
  /** The whole body in one buffer; null when it is larger than `most` bytes. */
  read(response: Response, most: number): Promise<Buffer | null>
  /** Returns the buffer for reuse; the caller must not read it afterwards. */
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
