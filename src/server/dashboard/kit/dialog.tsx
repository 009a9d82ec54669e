import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './fields.tsx'
import { Form } from './form.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog. It restores the focus when it is closed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    return () => opener?.focus()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <header>
        <h2 id={heading}>{title}</h2>
        <Button class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </header>
      {children}
    </dialog>
  )
}

interface DialogButtonProps {
  readonly label: string
  readonly title: string
  readonly disabled?: boolean
  readonly children: (close: () => void) => ComponentChildren
}

export function DialogButton({ label, title, disabled, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}

interface ConfirmRemovalProps {
  readonly subject: string
  /** Resolves to the message to show. */
  readonly onRemove: () => Promise<string>
  readonly onClose: () => void
}

export function ConfirmRemoval({ subject, onRemove, onClose }: ConfirmRemovalProps) {
  return (
    <Dialog title={`Remove ${subject}?`} onClose={onClose}>
      <Form save={onRemove} onSuccess={onClose} submitLabel="Remove" submitClass="danger">
        <p>This removes it from the world. To undo, restore a snapshot or reset the world.</p>
      </Form>
    </Dialog>
  )
}

interface DetailPanelProps {
  readonly label: string
  readonly title: string
  readonly actions?: ComponentChildren
  /** The URL hash of the list that the panel belongs to. */
  readonly back: string
  /** Called after the panel has navigated back. */
  readonly onClose?: () => void
  readonly children: ComponentChildren
}

/** A side panel with the details of one row. Its heading takes the focus; Escape closes it. */
export function DetailPanel(props: DetailPanelProps) {
  const { label, title, actions, back, onClose, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const close = () => {
    location.hash = back
    onClose?.()
  }
  return (
    <section class="detail" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <Button class="quiet" onClick={close}>
          Close
        </Button>
      </header>
      {children}
    </section>
  )
}
