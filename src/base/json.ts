// JSON of strangers: nodes, log lines, files. Pure.

/** The value; undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The fields of an object; none where it is no object. */
export const propertiesOf = (value: unknown): Readonly<Record<string, unknown>> => (hasFields(value) ? value : {})

/** The code of an error, as Node and PostgreSQL give it; an empty text where it has none. */
export function codeOf(error: unknown): string {
  const { code } = propertiesOf(error)
  return typeof code === 'string' ? code : ''
}
