import { Dialog } from '../kit/dialog.tsx'

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
