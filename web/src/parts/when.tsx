// Times, marked with the language that they are written in: the reader's, beside English words.
import { date, dateTime, exactTime, LOCALE, shortTime, when } from '../format.ts'

interface TimeProps {
  iso: string
}

/** How long ago, or the date; its title has the time to the second. */
export const When = ({ iso }: TimeProps) => (
  <time dateTime={iso} title={exactTime(iso)} lang={LOCALE}>
    {when(iso)}
  </time>
)

const timeIn =
  (form: (iso: string) => string) =>
  ({ iso }: TimeProps) => (
    <time dateTime={iso} lang={LOCALE}>
      {form(iso)}
    </time>
  )

export const Day = timeIn(date)
export const DateTime = timeIn(dateTime)
export const ShortTime = timeIn(shortTime)
