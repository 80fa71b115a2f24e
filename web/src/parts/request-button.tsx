// "Request": a dialog with the panel's request in four languages, and a button that copies the one shown.
import { useState } from 'preact/hooks'
import { onChain } from '../chain.ts'
import { copyText } from '../clipboard.ts'
import { toSnippets } from '../requests.ts'
import { DialogButton } from './dialog-button.tsx'

interface RequestButtonProps {
  title: string
  document: unknown
  variables: unknown
}

export function RequestButton({ title, ...request }: RequestButtonProps) {
  const [shown, setShown] = useState(0)
  return (
    <DialogButton name="API" class="quiet request" label={`API request of ${title}`} title={`${title}: the request`}>
      <Request {...request} shown={shown} onShow={setShown} />
    </DialogButton>
  )
}

interface RequestProps extends Omit<RequestButtonProps, 'title'> {
  /** The number of the shown language. */
  shown: number
  onShow(index: number): void
}

function Request({ document, variables, shown, onShow }: RequestProps) {
  const [said, setSaid] = useState('')
  const snippets = toSnippets(String(document), variables, `${location.origin}${onChain('')}`)
  const text = snippets[shown]?.text ?? ''
  const copy = async () => {
    setSaid((await copyText(text)) ? 'Copied.' : 'The browser does not allow copying: select the text.')
  }
  return (
    <>
      <fieldset class="row" aria-label="Language">
        {snippets.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={index === shown}
            onClick={() => {
              onShow(index)
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
  )
}
