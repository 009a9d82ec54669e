import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type Loaded, useLinks, useLive } from './app.ts'
import { createMark } from './mark.ts'

type Children = { readonly children?: ComponentChildren }

export function Mark() {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(createMark(28)), [])
  return <span ref={place} style={{ display: 'contents' }} />
}

/** A sentence of the simulator, which has code between backticks. The id of a fault is a link. */
export function Text({ text }: { text: string }) {
  const { link } = useLinks()
  const parts = text.split('`')
  return parts.map((part, index) => {
    if (index % 2 === 0) return part
    // A backtick without a second one
    if (index === parts.length - 1) return `\`${part}`
    const isFault = /^fault-\d+$/.test(part)
    return isFault ? <a href={link('faults', part)}>{part}</a> : <code>{part}</code>
  })
}

export function StatusTag({ status }: { status: number }) {
  const name = status === 0 ? 'dropped' : `s${Math.floor(status / 100)}`
  return <span class={`status ${name}`}>{status || 'dropped'}</span>
}

export function MethodTag({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

/** Whether something is documented, from its source or assumed. A value can have a value of the same name. */
export function EvidenceTag({ evidence }: { evidence: string }) {
  return <span class={`tag ${evidence}`}>evidence: {evidence}</span>
}

/** A list, beside the details of the row that is open. On a phone, the details take its place. */
export function Split(props: { label: string; detail: ComponentChildren } & Children) {
  return (
    <div class={props.detail ? 'split open' : 'split'}>
      <section class="list" aria-label={props.label}>
        {props.children}
      </section>
      {props.detail}
    </div>
  )
}

interface DetailProps extends Children {
  readonly title: string
  readonly actions?: ComponentChildren
  /** The address of the list without the details */
  readonly back: string
}

export function Detail({ title, actions, back, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <section class="detail" aria-label={title}>
      <header class="row">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {actions}
        <a class="button" href={back}>
          Close
        </a>
      </header>
      {children}
    </section>
  )
}

export function Card(props: { title: string; actions?: ComponentChildren } & Children) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <header class="row">
        <h2 id={id}>{props.title}</h2>
        {props.actions}
      </header>
      {props.children}
    </section>
  )
}

interface ItemProps extends Children {
  readonly name: string
  readonly info?: ComponentChildren
  readonly actions: ComponentChildren
  /** Whether the address names it */
  readonly isOpen?: boolean
}

export function ListItem(props: ItemProps) {
  const item = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (props.isOpen) item.current?.scrollIntoView({ block: 'center' })
  }, [props.isOpen])
  return (
    <li ref={item} class={props.isOpen ? 'current' : ''}>
      <div>
        <p>
          <strong>{props.name}</strong> <span class="dim">{props.info}</span>
        </p>
        {props.children}
      </div>
      <div class="row">{props.actions}</div>
    </li>
  )
}

export function Empty({ title, children }: { title: string } & Children) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  )
}

/** The error of something that is loaded, if there is one. Without a server, the page says so once, at its top. */
export function LoadError({ error }: Pick<Loaded<unknown>, 'error'>) {
  const { connection } = useLive()
  if (!error || connection === 'lost') return null
  return (
    <p class="error" role="alert">
      {error.message}
    </p>
  )
}

/** Its header, the content of a cell, and the CSS class of the cell. */
export type DataColumn<Row> = readonly [
  header: string,
  cell: (row: Row) => ComponentChildren,
  className?: string,
]

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly DataColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly rowClass?: (row: Row) => string
}

export function DataTable<Row>({ label, columns, rows, rowKey, rowClass }: TableProps<Row>) {
  return (
    <ScrollArea label={label} class="scroll">
      <table>
        <thead>
          <tr>
            {columns.map(([header, , className]) => (
              <th key={header} class={className}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} class={rowClass?.(row)}>
              {columns.map(([header, cell, className]) => (
                <td key={header} class={className}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ScrollArea(props: { label: string; class: string } & Children) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box needs the keyboard focus
    <section class={props.class} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  )
}

/** Longer values are cut off, so that a list of a million rows does not freeze the page. */
const maxCharacters = 40_000

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <ScrollArea label={label} class="json">
      <pre>
        {text.slice(0, maxCharacters)}
        {text.length > maxCharacters &&
          `\n… cut off: it has ${text.length.toLocaleString('en')} characters`}
      </pre>
    </ScrollArea>
  )
}
