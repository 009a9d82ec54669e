import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog of the browser's own: it keeps the focus inside, ends with Escape, and gives the focus back. */
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
  readonly onRemove: () => Promise<boolean>
  readonly onClose: () => void
}

/** Asks before a row is taken out for good. */
export function ConfirmRemoval({ subject, onRemove, onClose }: ConfirmRemovalProps) {
  const remove = async () => {
    await onRemove()
    onClose()
  }
  return (
    <Dialog title={`Remove ${subject}?`} onClose={onClose}>
      <div class="fields">
        <p>It is taken out of the world for good. A snapshot or a reset brings it back.</p>
        <button type="button" class="danger" onClick={remove}>
          Remove
        </button>
      </div>
    </Dialog>
  )
}
