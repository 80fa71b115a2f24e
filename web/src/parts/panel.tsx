// A titled part of a page, with the request behind it to copy, and its list as a file.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { CsvButton, type CsvSource } from './csv-button.tsx'
import { RequestButton } from './request-button.tsx'

interface PanelProps {
  title: string
  /** The request of its data. */
  request?: { document: unknown; variables: unknown }
  /** Its list, whole. */
  csv?: CsvSource
  aside?: ComponentChildren
  children: ComponentChildren
  level?: 1 | 2
  class?: string
}

export function Panel({ title, request, csv, aside, children, level = 2, class: name = '' }: PanelProps) {
  const id = useId()
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="panel-head">
        <Heading id={id}>{title}</Heading>
        {aside}
        <span class="row ends">
          {csv && <CsvButton title={title} {...csv} />}
          {request && <RequestButton title={title} {...request} />}
        </span>
      </div>
      {children}
    </section>
  )
}
