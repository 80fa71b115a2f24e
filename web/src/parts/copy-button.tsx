// Copies a text, such as an address, and says so.
import { useState } from 'preact/hooks'
import { copyText } from '../clipboard.ts'

/** How long it says that it copied. */
const SAID_MS = 2_000

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState<'' | 'Copied' | 'Not allowed'>('')
  const copy = async () => {
    setSaid((await copyText(text)) ? 'Copied' : 'Not allowed')
    setTimeout(() => setSaid(''), SAID_MS)
  }
  return (
    <>
      <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={copy}>
        {said || 'Copy'}
      </button>
      <span class="hidden" role="status">
        {said}
      </span>
    </>
  )
}
