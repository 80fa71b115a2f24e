// "Saved": names the shown list, and removes, exports and imports what the reader keeps in this browser.
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { download } from '../download.ts'
import { whole } from '../format.ts'
import { MOST_BYTES, toFile, withFile } from '../kept/lists-file.ts'
import { MOST_NAME, MOST_SCREENS, readScreens, screens } from '../kept/screens.ts'
import { watchlist } from '../kept/watchlist.ts'
import { type View, writeList } from '../view.ts'
import { DialogButton } from './dialog-button.tsx'

export const SavedLists = ({ view }: { view: View }) => (
  <DialogButton name="Save" title="Saved lists">
    <SaveForm view={view} />
    <ScreenList />
    <Files />
  </DialogButton>
)

function SaveForm({ view }: { view: View }) {
  const [said, setSaid] = useState('')
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    const known = screens.now.value
    const next = readScreens([{ name, address: writeList(view) }, ...known])
    if (
      known.length >= MOST_SCREENS &&
      next.length === MOST_SCREENS &&
      !known.some((one) => one.name === next[0]?.name)
    )
      return setSaid(`${MOST_SCREENS} lists are saved already: remove one first.`)
    screens.set(next)
    setSaid('Saved.')
  }
  return (
    <form onSubmit={submit}>
      <p>This browser keeps them, and sends them nowhere.</p>
      <p class="row">
        <label>
          Name of the shown list <input name="name" required pattern=".*\S.*" maxLength={MOST_NAME} />
        </label>
        <button type="submit">Save</button>
      </p>
      <p role="status">{said}</p>
    </form>
  )
}

function ScreenList() {
  const list = screens.now.value
  const remove = (name: string) => screens.set(list.filter((one) => one.name !== name))
  return (
    <ul class="log">
      {list.map(({ name, address }) => (
        <li key={name} class="row">
          <a href={address}>
            <bdi>{name}</bdi>
          </a>
          <button type="button" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  )
}

function Files() {
  const [said, setSaid] = useState('')
  const lists = { watchlist: watchlist.now.value, screens: screens.now.value }
  const count = lists.watchlist.length + lists.screens.length
  const take = async ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    const next = file && file.size <= MOST_BYTES ? withFile(lists, await file.text()) : null
    if (!next) return setSaid('The file has no lists of this page.')
    watchlist.set([...next.watchlist])
    screens.set([...next.screens])
    setSaid(`Kept now: watched tokens ${whole(next.watchlist.length)}, saved lists ${whole(next.screens.length)}.`)
  }
  return (
    <>
      <p class="row">
        <button
          type="button"
          disabled={count === 0}
          onClick={() => download('assay-lists.json', 'application/json', toFile(lists))}
        >
          Export all as JSON
        </button>
        <label>
          Import <input type="file" accept=".json,application/json" onChange={take} />
        </label>
      </p>
      <p role="status">{said}</p>
    </>
  )
}
