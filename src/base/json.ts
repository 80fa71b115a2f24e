// JSON of strangers: nodes, log lines, files. Pure.

/** The value; undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
