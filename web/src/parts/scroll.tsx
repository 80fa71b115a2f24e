// A table that may be wider or longer than its place: it scrolls by itself, by keyboard too.
import type { ComponentChildren } from 'preact'

interface ScrollProps {
  /** Its content. */
  label: string
  /** Whether its height has a limit. */
  tall?: boolean
  children: ComponentChildren
}

export const Scroll = ({ label, tall = false, children }: ScrollProps) => (
  <section class={tall ? 'scroll tall' : 'scroll'} tabIndex={0} aria-label={`Table of ${label.toLowerCase()}`}>
    {children}
  </section>
)
