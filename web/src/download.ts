// Hands a text to the reader as a file.

/** Long enough for a browser to begin to read it. */
const KEPT_MS = 60_000

export function download(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS)
}
