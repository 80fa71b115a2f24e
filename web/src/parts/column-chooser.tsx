// "Columns": the reader's choice for the tokens' table, kept in this browser.
import { COLUMN_NAMES, columns } from '../kept/columns.ts'
import type { WindowName } from '../time-windows.ts'
import { DialogButton } from './dialog-button.tsx'
import { COLUMNS, titleOf } from './token-columns.tsx'

export function ColumnChooser({ window }: { window: WindowName }) {
  const chosen = columns.now.value
  const isShown = (name: (typeof COLUMN_NAMES)[number]) =>
    chosen === null ? COLUMNS[name].screens !== undefined : chosen.includes(name)
  const toggle = (name: (typeof COLUMN_NAMES)[number]) =>
    columns.set(COLUMN_NAMES.filter((one) => (one === name ? !isShown(one) : isShown(one))))
  return (
    <DialogButton name="Columns" title="Columns of the tokens">
      <p>The token and its risk are always shown. This browser keeps your choice.</p>
      <ul class="choices">
        {COLUMN_NAMES.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={isShown(name)} onChange={() => toggle(name)} />{' '}
              {name === 'change' ? 'Change of price ' : name === 'sparkline' ? 'Price line of ' : ''}
              {titleOf(COLUMNS[name], window)}
            </label>
          </li>
        ))}
      </ul>
      <p class="row">
        <button type="button" disabled={chosen === null} onClick={() => columns.set(null)}>
          Those that suit the screen
        </button>
      </p>
    </DialogButton>
  )
}
