// The window of the change of price and of the trades in the tokens' table.
import { WINDOW_NAMES, WINDOWS, type WindowName } from '../time-windows.ts'

interface WindowChoiceProps {
  window: WindowName
  onChoose(window: WindowName): void
}

export const WindowChoice = ({ window, onChoose }: WindowChoiceProps) => (
  <fieldset class="row" aria-label="Window of change and trades">
    {WINDOW_NAMES.map((name) => (
      <button key={name} type="button" class="chip" aria-pressed={name === window} onClick={() => onChoose(name)}>
        {WINDOWS[name]}
      </button>
    ))}
  </fieldset>
)
