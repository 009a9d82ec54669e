import type { JournalMessage } from '../../journal/entry.ts'
import { JsonView } from '../kit/json-view.tsx'

/** The headers and the body of a request, or of its answer. */
export function MessageSection({ title, message }: { title: string; message: JournalMessage }) {
  const { headers, body, bytes, omitted } = message
  const names = Object.entries(headers)
  return (
    <section>
      <h3>
        {title}{' '}
        <span class="dim">{bytes > 0 ? `${bytes.toLocaleString('en')} bytes` : 'no body'}</span>
      </h3>
      {names.length > 0 && (
        <details>
          <summary>{names.length} headers</summary>
          <dl class="headers">
            {names.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {omitted && <p class="hint">The body is larger than the journal keeps.</p>}
      {body !== null && <JsonView value={body} label={`Body of the ${title.toLowerCase()}`} />}
    </section>
  )
}
