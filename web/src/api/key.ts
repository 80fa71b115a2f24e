// The API key: filled in by a server that shows the demo on this machine, else typed in. It lives for the session of the
// tab and never stands in an address.
import { signal } from '@preact/signals'

const NAME = 'assay-key'

/** Undefined until the server was asked; null when there is none. */
export const key = signal<string | null | undefined>(sessionStorage.getItem(NAME) ?? undefined)
/** Whether the server filled the key in. */
export const isDemoKey = signal(false)

export function setKey(value: string): void {
  sessionStorage.setItem(NAME, value)
  isDemoKey.value = false
  key.value = value
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
  isDemoKey.value = false
  key.value = null
}

/**
 * Asks the server for the demo's key, which it gives to a page of its own on this machine only; the referrer shows that. The page's
 * HTML may have asked before, as the same request: so no other option stands here.
 */
export async function findKey(): Promise<void> {
  if (key.value) return
  const given = await fetch('/demo-key', { referrerPolicy: 'same-origin' })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)
  if (typeof given?.key !== 'string') {
    key.value = null
    return
  }
  isDemoKey.value = true
  key.value = given.key
}
