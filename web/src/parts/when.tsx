// When something happened: how long ago, or the date; its title has the time to the second.
import { exactTime, when } from '../format.ts'

export const When = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={exactTime(iso)}>
    {when(iso)}
  </time>
)
