// One line of a token's checks. It states a fact and judges nothing: the verdict does that.
import type { ComponentChildren } from 'preact'

export interface Line {
  text: ComponentChildren
  /** Nobody knows the answer. */
  isUnknown?: true
}

export const plain = (text: ComponentChildren): Line => ({ text })
export const unknown = (text: ComponentChildren): Line => ({ text, isUnknown: true })
