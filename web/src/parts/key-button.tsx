// "Key": the page's key, and a dialog to use another one or to forget it.
import { forgetKey, isDemoKey, key } from '../api/key.ts'
import { Dialog, useDialog } from './dialog-button.tsx'
import { KeyForm } from './key-box.tsx'

/** Enough of a key to recognise it. */
const END_SIGNS = 4

export function KeyButton() {
  const dialog = useDialog()
  if (!key.value) return null
  return (
    <>
      <button type="button" class="quiet" onClick={dialog.open}>
        Key
      </button>
      <Dialog dialog={dialog} title="The API key">
        <p>
          In use: {isDemoKey.value ? 'the key of the demo, ' : ''}
          <code>…{key.value.slice(-END_SIGNS)}</code>. <a href="/account">What it may ask</a>
        </p>
        <KeyForm onSet={dialog.close} />
        <p>
          <button type="button" onClick={forgetKey}>
            Forget the key
          </button>
        </p>
      </Dialog>
    </>
  )
}
