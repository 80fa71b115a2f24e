// A value in a cell of a table. An unknown one is a dash, because a row of the same word says nothing.
import type { ComponentChildren } from 'preact'
import { UNKNOWN } from '../format.ts'

export const Dash = () => (
  <span class="faint" title="Not known">
    –
  </span>
)

/** `text` as the functions of `format.ts` make it. */
export const Known = ({ text, children }: { text: string; children?: ComponentChildren }) =>
  text === UNKNOWN ? (
    <Dash />
  ) : (
    <>
      {text}
      {children}
    </>
  )
