// Names and values side by side.
import type { ComponentChildren } from 'preact'

export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
