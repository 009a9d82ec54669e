import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DetailPanelProps {
  /** The accessible name. */
  readonly label: string
  readonly title: string
  /** Buttons between the title and Close. */
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
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </section>
  )
}
