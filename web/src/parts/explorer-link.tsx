// A link to the chain's explorer; without one, what it would stand on.
import type { ComponentChildren } from 'preact'

export const ExplorerLink = ({ to, children }: { to: string | null; children: ComponentChildren }) =>
  to === null ? (
    children
  ) : (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
