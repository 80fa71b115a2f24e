// The contract's reason for a refusal, as text that is safe to store and to show. The contract wrote it: it is data,
// never a command.

const MAX_TEXT = 120

/** The reason in a node's message, without control characters; empty when there is none. */
export function readRefusal(message: string): string {
  const [, said = message] = /revert(?:ed)?(?: with (?:reason string|custom error))?[:\s]*(.*)$/is.exec(message) ?? []
  const [data = ''] = /0x[0-9a-f]{8,}\s*$/i.exec(said) ?? []
  return clean(said.slice(0, said.length - data.length).replaceAll("'", '')) || readRevertData(data)
}

/** The text of revert data: `Error(string)`, or the selector of a custom error. */
export function readRevertData(data: string): string {
  if (data.startsWith('0x08c379a0') && data.length >= 138) {
    const length = Math.min(Number(BigInt(`0x${data.slice(74, 138)}`)), MAX_TEXT * 2)
    return clean(Buffer.from(data.slice(138, 138 + 2 * length), 'hex').toString('utf8'))
  }
  return data.length >= 10 ? `custom error ${data.slice(0, 10)}` : ''
}

/** Directional and control characters could turn a sentence into another. */
const clean = (text: string): string =>
  [
    ...text
      .replace(/[\p{C}\uFFFD]/gu, ' ')
      .trim()
      .replace(/\s+/g, ' '),
  ]
    .slice(0, MAX_TEXT)
    .join('')
