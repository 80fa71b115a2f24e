// The colour scheme: the system's, light or dark.
import { readTheme, THEMES, theme } from '../kept/theme.ts'

const NAMES = { system: 'as the system', light: 'light', dark: 'dark' } as const

export const ThemeChoice = () => (
  <label>
    Colours{' '}
    <select value={theme.now.value} onChange={({ currentTarget }) => theme.set(readTheme(currentTarget.value))}>
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {NAMES[name]}
        </option>
      ))}
    </select>
  </label>
)
