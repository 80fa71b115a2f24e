// "Request": a dialog with the panel's request in four languages, and a button that copies the one shown.
import { useRef, useState } from 'preact/hooks'
import { toSnippets } from '../requests.ts'

interface RequestButtonProps {
  title: string
  document: unknown
  variables: unknown
}

export function RequestButton({ title, document, variables }: RequestButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(0)
  const [said, setSaid] = useState('')
  const snippets = isOpen ? toSnippets(String(document), variables, location.origin) : []
  const text = snippets[shown]?.text ?? ''
  const open = () => {
    setOpen(true)
    setSaid('')
    dialog.current?.showModal()
  }
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(done ? 'Copied.' : 'The browser does not allow copying: select the text.')
  }
  return (
    <>
      <button type="button" class="quiet request" aria-label={`API request of ${title}`} onClick={open}>
        API
      </button>
      <dialog ref={dialog} aria-label={`API request of ${title}`} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <div class="panel-head">
              <h2>{title}: the request</h2>
              <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
                ✕
              </button>
            </div>
            <fieldset class="row" aria-label="Language">
              {snippets.map(({ name }, index) => (
                <button
                  key={name}
                  type="button"
                  class="chip"
                  aria-pressed={index === shown}
                  onClick={() => {
                    setShown(index)
                    setSaid('')
                  }}
                >
                  {name}
                </button>
              ))}
            </fieldset>
            <pre tabIndex={0}>{text}</pre>
            <div class="row">
              <button type="button" onClick={copy}>
                Copy
              </button>
              <span role="status">{said}</span>
            </div>
          </>
        )}
      </dialog>
    </>
  )
}
