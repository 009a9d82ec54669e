import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './form.tsx'
import { type LoadState, type Notifications, useStore } from './hooks.ts'

interface Children {
  readonly children: ComponentChildren
}

/** A modal dialog. It restores the focus when it is closed. */
export function Dialog(props: { title: string; onClose: () => void } & Children) {
  const { title, onClose, children } = props
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

interface DetailPanelProps extends Children {
  /** The accessible name; defaults to the title. */
  readonly label?: string
  readonly title: string
  readonly actions?: ComponentChildren
  /** The URL hash of the list that the panel belongs to. */
  readonly back: string
  /** Called after the panel has navigated back. */
  readonly onClose?: () => void
}

/** A side panel with the details of one row. Its heading takes the focus; Escape closes it. */
export function DetailPanel(props: DetailPanelProps) {
  const { title, label = title, actions, back, onClose, children } = props
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

interface SectionProps extends Children {
  readonly title: string
  readonly class?: string
  readonly actions?: ComponentChildren
}

export function Section({ title, class: name, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section class={name} aria-labelledby={id}>
      <header class="row">
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

interface ListSectionProps<T> extends Omit<SectionProps, 'children'> {
  readonly loaded: LoadState<readonly T[]>
  /** The text that takes the place of an empty list. */
  readonly empty: string
  /** A form above the list. */
  readonly form?: ComponentChildren
  readonly children: (item: T) => ComponentChildren
}

/** A section with a list that is loaded. */
export function ListSection<T>(props: ListSectionProps<T>) {
  const { loaded, empty, form, children, ...section } = props
  const { value = [], error, reload } = loaded
  return (
    <Section {...section}>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {form}
      {value.length === 0 && <p class="dim">{empty}</p>}
      <ul class="plain items">{value.map(children)}</ul>
    </Section>
  )
}

interface ListItemProps {
  readonly id: string
  readonly tag?: string | null
  readonly info: ComponentChildren
  readonly actions: ComponentChildren
  readonly children?: ComponentChildren
}

/** An item of a ListSection, with its buttons. */
export function ListItem({ id, tag, info, actions, children }: ListItemProps) {
  return (
    <li>
      <p>
        <strong>{id}</strong> {tag && <span class="tag">{tag}</span>}{' '}
        <span class="dim">{info}</span>
      </p>
      {children}
      <div class="row">{actions}</div>
    </li>
  )
}

interface SplitViewProps extends Children {
  readonly label: string
  readonly detail: ComponentChildren
}

/** A list, beside the details of the item that is open. */
export function SplitView({ label, detail, children }: SplitViewProps) {
  return (
    <div class={detail ? 'split open' : 'split'}>
      <section class="list" aria-label={label}>
        {children}
      </section>
      {detail}
    </div>
  )
}

/** Takes the place of an empty list. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}

export function ErrorMessage({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="error" role="alert">
      <p>{error.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

/** Shows the notification. Screen readers announce it when it appears. */
export function NotificationBar({ notifications }: { notifications: Notifications }) {
  const { current } = useStore(notifications)
  return (
    <div class="notifications" role="status" aria-live="polite">
      {current && (
        <p class={`notification ${current.tone}`}>
          <span>{current.text}</span>
          <Button class="quiet" onClick={() => notifications.dismiss()}>
            Dismiss
          </Button>
        </p>
      )}
    </div>
  )
}
