// "CSV": reads a whole list page by page, and hands it to the reader as a file.
import { useState } from 'preact/hooks'
import { toFailure } from '../api/ask.ts'
import { MOST_ROWS, type RowPage, readRows, toCsv } from '../csv.ts'
import { download } from '../download.ts'
import { whole } from '../format.ts'

/** A list as a file. */
export interface CsvSource {
  /** The name of the file, without its ending. */
  name: string
  readPage(after: string | null): Promise<RowPage>
}

export function CsvButton({ title, name, readPage }: CsvSource & { title: string }) {
  const [said, setSaid] = useState('')
  const [isReading, setReading] = useState(false)
  const save = async () => {
    setReading(true)
    setSaid('')
    try {
      const { rows, isCut } = await readRows(readPage)
      if (rows.length > 0) download(`assay-${name}.csv`, 'text/csv', toCsv(rows))
      if (rows.length === 0) setSaid('The list is empty.')
      else if (isCut) setSaid(`The file has the first ${whole(MOST_ROWS)} rows.`)
    } catch (error) {
      setSaid(toFailure(error).message)
    } finally {
      setReading(false)
    }
  }
  return (
    <>
      <span class="faint" role="status">
        {said}
      </span>
      <button type="button" class="quiet request" aria-label={`CSV of ${title}`} disabled={isReading} onClick={save}>
        CSV
      </button>
    </>
  )
}
