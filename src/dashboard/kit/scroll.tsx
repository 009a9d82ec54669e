import type { ComponentChildren } from 'preact'

interface ScrollAreaProps {
  /** What screen readers call it. */
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** What may be larger than its place, and is scrolled there. */
export function ScrollArea({ label, class: name = 'scroll', children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
