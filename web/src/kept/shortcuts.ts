// Whether single keys are shortcuts: readers who speak their input switch them off (WCAG 2.1.4).
import { keep } from './keep.ts'

export const areShortcutsOn = keep('assay-shortcuts', (stored) => stored !== false)
