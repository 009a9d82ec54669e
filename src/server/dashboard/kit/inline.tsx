import type { IconNode } from 'lucide'
import { type ComponentChildren, createElement } from 'preact'
import type { JournalPolicy } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from './context.ts'

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

/** Stands for a value that is missing. */
export const none = <span class="dim">–</span>

/** @param props.dropped replaces the status of a connection that was dropped */
export function StatusTag({ status, dropped }: { status: number; dropped: string }) {
  const name = status === 0 ? 'dropped' : `s${Math.floor(status / 100)}`
  return <span class={`status ${name}`}>{status || dropped}</span>
}

export function MethodTag({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

/** Whether something is documented, observed or assumed. A policy can have a value of the same name. */
export function EvidenceTag({ evidence }: { evidence: string }) {
  return <span class={`tag ${evidence}`}>evidence: {evidence}</span>
}

/** Policies with their settings, each with a link to where it is changed, and with a text before and after it. */
export function PolicyList<Policy extends JournalPolicy>(props: {
  policies: readonly Policy[]
  before?: string
  after?: (policy: Policy) => ComponentChildren
}) {
  const { policies, before, after } = props
  const { link } = useDashboard()
  if (policies.length === 0) return null
  return (
    <ul class="plain policies">
      {policies.map((policy) => (
        <li key={policy.id}>
          {before}
          <a href={link('controls', 'policies', policy.id)}>{policy.id}</a> ={' '}
          <code>{policy.setting}</code> <EvidenceTag evidence={policy.evidence} />
          {after?.(policy)}
        </li>
      ))}
    </ul>
  )
}
