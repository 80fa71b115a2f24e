// The colour scheme that the reader chose; `system` follows the browser.
import { keep } from './keep.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const readTheme = (stored: unknown): Theme => THEMES.find((name) => name === stored) ?? 'system'

export const theme = keep('assay-theme', readTheme)

/** Puts the choice on the page, now and after each change, before anything that reads its colours. */
export function followTheme(): void {
  theme.now.subscribe((chosen) => {
    if (chosen === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = chosen
  })
}
