import type { JournalMessage } from '../../../sandbox/journal/entry.ts'
import { formatCount } from '../kit/format.ts'
import { JsonView } from '../kit/table.tsx'

/** The headers and the body of a request or a response. */
export function MessageSection({ title, message }: { title: string; message: JournalMessage }) {
  const { body, bytes, omitted } = message
  const headers = Object.entries(message.headers)
  return (
    <section>
      <h3>
        {title} <span class="dim">{bytes > 0 ? formatCount(bytes, 'byte') : 'no body'}</span>
      </h3>
      {headers.length > 0 && (
        <HeaderList title={formatCount(headers.length, 'header')} headers={headers} />
      )}
      {omitted && <p class="hint">The body is not stored: it exceeds the journal's size limit.</p>}
      {body !== null && <JsonView value={body} label={`${title} body`} />}
    </section>
  )
}

type Header = readonly [name: string, value: string]

/** Headers, folded. */
export function HeaderList({ title, headers }: { title: string; headers: readonly Header[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
