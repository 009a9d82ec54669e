import type { IconNode } from 'lucide'
import { createElement } from 'preact'

/** An icon of Lucide, drawn in the color of the text beside it. It adds nothing for screen readers. */
export function Icon({ icon }: { icon: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {icon.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  )
}

/** A U with its double behind it. index.html has the same mark as the icon of the page. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path class="double" d="M13.5 7.5v8.5a5 5 0 0 0 10 0v-8.5" />
      <path d="M8.5 12v8a5 5 0 0 0 10 0v-8" />
    </svg>
  )
}
