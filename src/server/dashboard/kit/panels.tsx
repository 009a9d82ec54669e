import { type IconNode, Inbox } from 'lucide'
import { type ComponentChildren, type Context, createContext } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useDashboard } from './context.ts'
import { Button, type ButtonProps } from './fields.tsx'
import { Icon } from './inline.tsx'
import { type LoadState, useStore } from './store.ts'

interface Children {
  readonly children: ComponentChildren
}

/** Closes the dialog around a form. Null outside of dialogs. */
export const CloseDialogContext: Context<(() => void) | null> = createContext<(() => void) | null>(
  null,
)

export function Dialog(props: { title: string; onClose: () => void } & Children) {
  const { title, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const close = () => dialog.current?.close()
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement
    const opener = document.activeElement as HTMLElement | null
    element.showModal()
    return () => opener?.focus()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <header>
        <h2 id={heading}>{title}</h2>
        <Button label="Close" class="quiet" onClick={close} />
      </header>
      <CloseDialogContext.Provider value={close}>{children}</CloseDialogContext.Provider>
    </dialog>
  )
}

export interface DialogButtonProps extends ButtonProps {
  readonly title: string
  readonly children: (close: () => void) => ComponentChildren
}

export function DialogButton({ title, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}

interface DetailPanelProps extends Children {
  readonly label?: string
  readonly title: string
  readonly actions?: ComponentChildren
  /** The URL hash of the list without this panel. */
  readonly back: string
}

/** The details of a row beside its list. Closing moves the focus to the row. */
export function DetailPanel({ title, label = title, actions, back, children }: DetailPanelProps) {
  const { open } = useDashboard()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const close = () => {
    const row = document.querySelector<HTMLElement>('tr.current .opens')
    open(back)
    requestAnimationFrame(() => row?.focus())
  }
  return (
    <section class="detail" aria-label={label} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <Button label="Close" class="quiet" onClick={close} />
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
  readonly empty: ComponentChildren
  readonly form?: ComponentChildren
  readonly children: (item: T) => ComponentChildren
}

export function ListSection<T>(props: ListSectionProps<T>) {
  const { loaded, empty, form, children, ...section } = props
  const { value = [] } = loaded
  return (
    <Section {...section}>
      <ErrorMessage {...loaded} />
      {form}
      {value.length === 0 && empty}
      <ul class="plain items">{value.map(children)}</ul>
    </Section>
  )
}

export function ListItem(props: {
  id: string
  tag?: string | null
  info: ComponentChildren
  actions: ComponentChildren
  children?: ComponentChildren
}) {
  const { id, tag, info, actions, children } = props
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

export function SplitView(
  props: { label: string; detail: ComponentChildren; class?: string } & Children,
) {
  const { label, detail, class: name = '', children } = props
  return (
    <div class={`split ${detail ? 'open' : ''} ${name}`}>
      <section class="list" aria-label={label}>
        {children}
      </section>
      {detail}
    </div>
  )
}

/** The filters of a list. On a phone they are folded, so that the first row is in sight. */
export function Filters({ children }: Children) {
  const narrow = useMemo(() => matchMedia('(max-width: 720px)'), [])
  const [isNarrow, setNarrow] = useState(narrow.matches)
  useLayoutEffect(() => {
    const update = () => setNarrow(narrow.matches)
    narrow.addEventListener('change', update)
    return () => narrow.removeEventListener('change', update)
  }, [])
  if (!isNarrow) return <div class="filters">{children}</div>
  return (
    <details class="filters">
      <summary>Filters</summary>
      <div>{children}</div>
    </details>
  )
}

interface EmptyStateProps {
  readonly title: string
  readonly icon?: IconNode
  /** How to change that. */
  readonly children?: ComponentChildren
}

export function EmptyState({ title, icon = Inbox, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <Icon icon={icon} />
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  )
}

/** The error of something that is loaded, if there is one. */
export function ErrorMessage(props: { error: Error | null | undefined; reload?: () => void }) {
  const { error, reload } = props
  if (!error) return null
  return (
    <div class="error" role="alert">
      <p>{error.message}</p>
      {reload && <Button label="Try again" onClick={reload} />}
    </div>
  )
}

export function NotificationBar() {
  const notifications = useStore(useDashboard().notifications)
  const { current } = notifications
  return (
    <div class="notifications" role="status" aria-live="polite">
      {current && (
        <p class={`notification ${current.tone}`}>
          <span>{current.text}</span>
          <Button label="Dismiss" class="quiet" onClick={() => notifications.dismiss()} />
        </p>
      )}
    </div>
  )
}
