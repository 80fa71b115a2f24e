// A titled part of a page, with the request behind it to copy.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { RequestButton } from './request-button.tsx'

interface PanelProps {
  title: string
  /** The request of its data. */
  request?: { document: unknown; variables: unknown }
  aside?: ComponentChildren
  children: ComponentChildren
  level?: 1 | 2
  class?: string
}

export function Panel({ title, request, aside, children, level = 2, class: name = '' }: PanelProps) {
  const id = useId()
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="panel-head">
        <Heading id={id}>{title}</Heading>
        {aside}
        {request && <RequestButton title={title} {...request} />}
      </div>
      {children}
    </section>
  )
}
