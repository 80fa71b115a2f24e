// Steps through the pages of a table.
import { whole } from '../format.ts'

interface PagesProps {
  page: number
  size: number
  /** Null: not counted. */
  total: number | null
  /** Whether the page is full, so that another one may follow. */
  isFull: boolean
  onPage(page: number): void
}

export function Pages({ page, size, total, isFull, onPage }: PagesProps) {
  const isLast = total === null ? !isFull : page * size >= total
  const end = total === null ? page * size : Math.min(total, page * size)
  return (
    <nav class="row pages" aria-label="Pages of the table">
      <button type="button" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        {whole((page - 1) * size + 1)}–{whole(end)} of {total === null ? 'many' : whole(total)}
      </span>
      <button type="button" disabled={isLast} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  )
}
