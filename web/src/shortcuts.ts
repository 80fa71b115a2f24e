// Pure. The keyboard's shortcuts: what a key does after the key before it.

export type Deed =
  | { kind: 'search' | 'help' }
  | { kind: 'row'; by: 1 | -1 }
  | { kind: 'go'; to: string }
  /** The first key of two. */
  | { kind: 'wait' }

export const SHORTCUTS: readonly (readonly [keys: string, what: string, deed: Deed])[] = [
  ['/', 'search', { kind: 'search' }],
  ['j', 'next row of the table', { kind: 'row', by: 1 }],
  ['k', 'previous row', { kind: 'row', by: -1 }],
  ['g t', 'tokens', { kind: 'go', to: '/' }],
  ['g s', 'watched tokens, with a star', { kind: 'go', to: '/?list=watched' }],
  ['g w', 'wallets', { kind: 'go', to: '/wallets' }],
  ['g a', 'alerts', { kind: 'go', to: '/alerts' }],
  ['?', 'these keys', { kind: 'help' }],
]

/** The second key of two follows within this time. */
export const PATIENCE_MS = 1_500

/** `before`: the first key of two that was pressed just now. */
export function deedOf(key: string, before: string | null): Deed | null {
  const known = (keys: string) => SHORTCUTS.find(([name]) => name === keys)?.[2] ?? null
  if (before !== null) return known(`${before} ${key}`)
  return known(key) ?? (SHORTCUTS.some(([name]) => name.startsWith(`${key} `)) ? { kind: 'wait' } : null)
}

interface Pressed {
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isComposing: boolean
}

/** Whether the reader writes, or the key belongs to the browser, the system or an open dialog. */
export function isTaken(
  { ctrlKey, metaKey, altKey, isComposing }: Pressed,
  inField: boolean,
  inDialog: boolean,
): boolean {
  return ctrlKey || metaKey || altKey || isComposing || inField || inDialog
}
