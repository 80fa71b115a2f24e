// "Key": the page's key, and a dialog to use another one or to forget it.
import { useRef, useState } from 'preact/hooks'
import { forgetKey, isDemoKey, key } from '../api/key.ts'
import { KeyForm } from './key-box.tsx'

/** Enough of a key to recognise it. */
const END_SIGNS = 4

export function KeyButton() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  const close = () => dialog.current?.close()
  if (!key.value) return null
  return (
    <>
      <button type="button" class="quiet" onClick={open}>
        Key
      </button>
      <dialog ref={dialog} aria-label="The API key" onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <div class="panel-head">
              <h2>The API key</h2>
              <button type="button" class="quiet" aria-label="Close" onClick={close}>
                ✕
              </button>
            </div>
            <p>
              In use: {isDemoKey.value ? 'the key of the demo, ' : ''}
              <code>…{key.value.slice(-END_SIGNS)}</code>. <a href="/status">What it may ask</a>
            </p>
            <KeyForm onSet={close} />
            <p>
              <button type="button" onClick={forgetKey}>
                Forget the key
              </button>
            </p>
          </>
        )}
      </dialog>
    </>
  )
}
