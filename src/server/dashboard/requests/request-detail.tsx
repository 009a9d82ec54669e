import { Terminal } from 'lucide'
import type { JournalChange, JournalEntry, JournalMessage } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { copyText } from '../kit/copy-download.ts'
import { useActionButton } from '../kit/form.tsx'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatPath,
  statusClass,
} from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { DetailPanel, EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { JsonView } from '../kit/table.tsx'
import { fetchHar, toCurl } from './export.ts'
import { ResponseReasons } from './response-reasons.tsx'

const notStored = 'This request is no longer in the journal.'

export function RequestDetail({ id, back }: { id: number; back: string }) {
  const { remote, journal } = useDashboard()
  const recent = journal.entries.find((entry) => entry.id === id)
  const older = useLoad(async () => recent ?? (await remote.journal.get(id)), [remote, id])
  const entry = recent ?? older.value
  return (
    <DetailPanel
      title={`Request ${id}`}
      actions={entry && <CopyAsCurl entry={entry} />}
      back={back}
      onClose={() => requestAnimationFrame(() => findRowLink(id)?.focus())}
    >
      {older.error && <ErrorMessage error={older.error} />}
      {!entry && !older.isLoading && !older.error && <EmptyState title={notStored} />}
      {entry && <EntryDetails entry={entry} />}
    </DetailPanel>
  )
}

function EntryDetails({ entry }: { entry: JournalEntry }) {
  const { method, operation, key, response, at } = entry
  return (
    <>
      <p class="request-line">
        <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
        <code>{formatPath(entry)}</code>
      </p>
      <p class="facts">
        <span class={`status ${statusClass(response.status)}`}>
          {response.status || 'connection dropped'}
        </span>
        <span>{operation ?? 'no matching operation'}</span>
        <span>{key === null ? 'no key' : `${key.label ?? 'unlabeled key'} (${key.value})`}</span>
        <span>{formatDuration(entry)}</span>
        <time dateTime={at}>{formatDateTime(at, 'millisecond')}</time>
      </p>
      <ResponseReasons entry={entry} />
      <RowChanges changes={entry.changes} />
      <MessageSection title="Request" message={entry.request} />
      <MessageSection title="Response" message={response} />
    </>
  )
}

function CopyAsCurl({ entry }: { entry: JournalEntry }) {
  const { remote } = useDashboard()
  const action = useActionButton()
  const copy = async () => {
    const { log } = await fetchHar(remote, new Set([entry.id]), entry.at)
    const [archived] = log.entries
    if (!archived) throw new Error(notStored)
    await copyText(toCurl(entry, archived, remote.url, await remote.keys.list()))
  }
  return action('Copy as curl', 'Copied the curl command, including the API key.', copy, {
    icon: Terminal,
  })
}

function findRowLink(id: number): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.requests a[href^="#/requests/"]')
  return [...links].find(({ hash }) => new RegExp(`^#/requests/${id}(?!\\d)`).test(hash))
}

/** The rows that a request changed, with each field before and after. */
function RowChanges({ changes }: { changes: readonly JournalChange[] }) {
  if (changes.length === 0) return null
  return (
    <section>
      <h3>Changes</h3>
      {changes.map(({ list, id, kind, fields }) => (
        <table class="changes" key={`${list} ${id}`}>
          <caption>
            {list} {id} <span class="tag">{kind}</span>
          </caption>
          <thead class={kind === 'changed' ? '' : 'visually-hidden'}>
            <tr>
              <th>Field</th>
              <th>Before</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(fields).map(([field, [before, after]]) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td class="before">{kind === 'created' ? '' : formatValue(before)}</td>
                <td class="after">{kind === 'removed' ? '' : formatValue(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}

function formatValue(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

function MessageSection({ title, message }: { title: string; message: JournalMessage }) {
  const { body, bytes, omitted } = message
  const headers = Object.entries(message.headers)
  return (
    <section>
      <h3>
        {title} <span class="dim">{bytes > 0 ? formatCount(bytes, 'byte') : 'no body'}</span>
      </h3>
      {headers.length > 0 && (
        <details>
          <summary>{formatCount(headers.length, 'header')}</summary>
          <dl class="headers">
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {omitted && <p class="hint">The body is not stored: it exceeds the journal's size limit.</p>}
      {body !== null && <JsonView value={body} label={`${title} body`} />}
    </section>
  )
}
