// The API key: from a server that shows the demo on this machine, else typed in. It lives for the session of the tab
// and is never part of an address.
import { signal } from '@preact/signals'

const NAME = 'assay-key'

/** Undefined until the server was asked; null when there is none. */
export const key = signal<string | null | undefined>(sessionStorage.getItem(NAME) ?? undefined)
/** Whether the server provided the key. */
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
 * Asks the server for the demo's key. The server gives it only to its own page on this machine, which the referrer
 * shows. The page's HTML may have preloaded this same request, so it must have no other options.
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
