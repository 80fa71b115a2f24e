// What a list says of an address, with the name of the list: it is no finding of the index.
import { foreign, words } from '../format.ts'
import { Foreign } from './address.tsx'

interface Label {
  name: string
  kind: string
  source: string
}

/** The first label, which is the most confident one; nothing without any. */
export const LabelMark = ({ labels: [label] }: { labels: readonly Label[] }) =>
  label === undefined ? null : (
    <span class="label" title={`${words(label.kind)}, as the list ${foreign(label.source)} says`}>
      <Foreign text={label.name} most={24} /> <small>{foreign(label.source, 24)}</small>
    </span>
  )
