// Reads the answer of another server, which may be longer than anybody expected.

/** The text of the answer. Throws if it has more bytes; `who` is the server, in the error's words. */
export async function readBounded(response: Response, mostBytes: number, who: string): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength
    if (bytes > mostBytes) {
      await reader?.cancel()
      throw new Error(`the answer of ${who} is too long`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}
