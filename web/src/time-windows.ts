// The windows of time that end at the newest block, by their names in the API.
export const WINDOWS = { m5: '5 min', h1: '1 h', h6: '6 h', h24: '24 h', d7: '7 days' } as const
export type WindowName = keyof typeof WINDOWS
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[]

/** The window of lists unless the reader chooses another. */
export const USUAL_WINDOW: WindowName = 'h24'
