// One statement about the dangers for a token's holders. Green is only for a tried and good result; an unknown one is
// grey.
import type { ComponentChildren } from 'preact'

export type Tone = 'danger' | 'caution' | 'unknown' | 'plain' | 'good'

export interface Line {
  tone: Tone
  text: ComponentChildren
}

export const danger = (text: ComponentChildren): Line => ({ tone: 'danger', text })
export const caution = (text: ComponentChildren): Line => ({ tone: 'caution', text })
export const unknown = (text: ComponentChildren): Line => ({ tone: 'unknown', text })
export const plain = (text: ComponentChildren): Line => ({ tone: 'plain', text })

/** The tone of a number that is worse the larger it is. */
export function toneFrom(value: number, cautionAt: number, dangerAt: number): Tone {
  if (value >= dangerAt) return 'danger'
  return value >= cautionAt ? 'caution' : 'plain'
}

const GRAVITY: readonly Tone[] = ['danger', 'caution', 'unknown', 'plain', 'good']

/** The tone of an answer: that of its gravest line. */
export const gravestOf = (lines: readonly Line[]): Tone =>
  GRAVITY.find((tone) => lines.some((line) => line.tone === tone)) ?? 'unknown'

/** Dangers first; otherwise the lines keep their order. */
export const dangersFirst = (lines: readonly Line[]): Line[] =>
  [...lines].sort((a, b) => Number(b.tone === 'danger') - Number(a.tone === 'danger'))
