// Content behind a click. It is created when it is opened: most readers never open it, and it would be created again
// with each block.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface DisclosureProps {
  summary: ComponentChildren
  class?: string
  children: ComponentChildren
}

export function Disclosure({ summary, class: name, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class={name} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}
