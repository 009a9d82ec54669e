import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { FormError, useSubmit } from './form.tsx'

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
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmRemovalProps {
  readonly subject: string
  /** Resolves to the message to show. */
  readonly onRemove: () => Promise<string>
  readonly onClose: () => void
}

/** Asks for confirmation before a row is removed. */
export function ConfirmRemoval({ subject, onRemove, onClose }: ConfirmRemovalProps) {
  const { submit, error, isBusy } = useSubmit(onRemove, onClose)
  return (
    <Dialog title={`Remove ${subject}?`} onClose={onClose}>
      <form class="fields" onSubmit={submit}>
        <p>This removes it from the world. To undo, restore a snapshot or reset the world.</p>
        <FormError error={error} />
        <button type="submit" class="danger" disabled={isBusy}>
          Remove
        </button>
      </form>
    </Dialog>
  )
}
