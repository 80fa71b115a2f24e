// A button with its dialog. The content is created when the dialog is opened.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** A dialog that is closed at first. */
export function useDialog() {
  const element = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  return {
    element,
    isOpen,
    open: () => {
      setOpen(true)
      element.current?.showModal()
    },
    close: () => element.current?.close(),
    onClose: () => setOpen(false),
  }
}

interface DialogProps {
  dialog: ReturnType<typeof useDialog>
  title: string
  /** Its name for readers who do not see it; default: the title. */
  label?: string
  children: ComponentChildren
}

export const Dialog = ({
  dialog: { element, isOpen, close, onClose },
  title,
  label = title,
  children,
}: DialogProps) => (
  <dialog ref={element} aria-label={label} onClose={onClose}>
    {isOpen && (
      <>
        <div class="panel-head">
          <h2>{title}</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={close}>
            ✕
          </button>
        </div>
        {children}
      </>
    )}
  </dialog>
)

interface DialogButtonProps extends Omit<DialogProps, 'dialog'> {
  /** The text of the button. */
  name: string
  class?: string
}

export function DialogButton({ name, class: kind = 'quiet', ...content }: DialogButtonProps) {
  const dialog = useDialog()
  return (
    <>
      <button type="button" class={kind} aria-label={content.label} onClick={dialog.open}>
        {name}
      </button>
      <Dialog dialog={dialog} {...content} />
    </>
  )
}
