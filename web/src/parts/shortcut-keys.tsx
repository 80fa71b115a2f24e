// Listens for the shortcuts, and tells them in a dialog.
import { useEffect, useRef } from 'preact/hooks'
import { useChainLocation } from '../chain.ts'
import { areShortcutsOn } from '../kept/shortcuts.ts'
import { type Deed, deedOf, isTaken, PATIENCE_MS, SHORTCUTS } from '../shortcuts.ts'
import { Dialog, useDialog } from './dialog-button.tsx'

const FIELDS = 'input, textarea, select, [contenteditable], [role="listbox"]'

/** Moves the focus to the link of the next or previous row; Enter then opens it. */
function stepRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main tbody th a[href]')]
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex((link) => link.closest('tr') === row)
  const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by
  links[next]?.focus()
}

/** Calls `act` for each shortcut, except for the first key of two. Returns a function that stops it. */
function listen(act: (deed: Deed) => void): () => void {
  let before: { key: string; until: number } | null = null
  const press = (event: KeyboardEvent) => {
    const { target, key } = event
    const first = before !== null && performance.now() < before.until ? before.key : null
    before = null
    const inField = target instanceof Element && target.closest(FIELDS) !== null
    if (!areShortcutsOn.now.value || isTaken(event, inField, document.querySelector('dialog[open]') !== null)) return
    const deed = deedOf(key, first)
    if (!deed) return
    event.preventDefault()
    if (deed.kind === 'wait') before = { key, until: performance.now() + PATIENCE_MS }
    else act(deed)
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}

export function ShortcutKeys() {
  const { route } = useChainLocation()
  const dialog = useDialog()
  const act = (deed: Deed) => {
    if (deed.kind === 'search') document.getElementById('q')?.focus()
    else if (deed.kind === 'row') stepRow(deed.by)
    else if (deed.kind === 'go') route(deed.to)
    else dialog.open()
  }
  const latest = useRef(act)
  latest.current = act
  useEffect(() => listen((deed) => latest.current(deed)), [])
  return (
    <>
      <button type="button" class="quiet" onClick={dialog.open}>
        Keys
      </button>
      <Dialog dialog={dialog} title="Keys">
        <Told />
      </Dialog>
    </>
  )
}

const Told = () => (
  <>
    <dl class="keys">
      {[...SHORTCUTS, ['Enter', 'opens the row'] as const].map(([keys, what]) => (
        <>
          <dt key={keys}>
            {keys.split(' ').map((one) => (
              <kbd key={one}>{one}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </>
      ))}
    </dl>
    <label class="check">
      <input
        type="checkbox"
        checked={areShortcutsOn.now.value}
        onChange={({ currentTarget }) => areShortcutsOn.set(currentTarget.checked)}
      />{' '}
      Keys are on
    </label>
  </>
)
