import { useEffect, useRef } from 'preact/hooks'
import type { JournalChange, JournalEntry, JournalMessage } from '../../../sandbox/journal/entry.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { copyText } from '../kit/copy-download.ts'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { formatDuration, formatPath, statusClass } from '../kit/format.ts'
import { useLoad } from '../kit/hooks.ts'
import { JsonView } from '../kit/json-view.tsx'
import { fetchHar, toCurl } from './export.ts'

/** All there is to know of one request. */
export function RequestDetail({ id, back }: { id: number; back: string }) {
  const { remote, journal } = useDashboard()
  const known = journal.entries.find((entry) => entry.id === id)
  const older = useLoad(async () => known ?? (await remote.journal.get(id)) ?? null, [remote, id])
  const value = known ?? older.value
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [id, value === undefined])
  const close = () => {
    location.hash = back
    requestAnimationFrame(() => rowLink(id)?.focus())
  }
  return (
    <section
      class="detail"
      aria-label={`Request ${id}`}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <header>
        <h2 ref={heading} tabIndex={-1}>
          Request {id}
        </h2>
        {value && <CopyAsCurl entry={value} />}
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {older.error && <ErrorMessage error={older.error} />}
      {value === null && <EmptyState title="The journal no longer keeps this request." />}
      {value && <EntryDetails entry={value} />}
    </section>
  )
}

function EntryDetails({ entry }: { entry: JournalEntry }) {
  const { method, operation, key, answer, at } = entry
  return (
    <>
      <p class="line">
        <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
        <code>{formatPath(entry)}</code>
      </p>
      <p class="facts">
        <span class={`status ${statusClass(answer.status)}`}>
          {answer.status || 'connection broken'}
        </span>
        <span>{formatDuration(entry)}</span>
        <span>{operation ?? 'no operation'}</span>
        <span>
          {key === null ? 'no key' : `${key.label ?? 'key without a label'} ${key.value}`}
        </span>
        <time dateTime={at}>{at.replace('T', ' ').replace('Z', '')}</time>
      </p>
      <ResponseReasons entry={entry} />
      <RowChanges changes={entry.changes} />
      <MessageSection title="Request" message={entry.request} />
      <MessageSection title="Answer" message={entry.answer} />
    </>
  )
}

function CopyAsCurl({ entry }: { entry: JournalEntry }) {
  const { remote } = useDashboard()
  const act = useAction()
  const copy = async () => {
    const { log } = await fetchHar(remote, new Set([entry.id]), entry.at)
    const [archived] = log.entries
    if (!archived) throw new Error('The journal no longer keeps this request.')
    await copyText(toCurl(entry, archived, remote.url, await remote.keys.list()))
  }
  return (
    <button type="button" onClick={() => act('Copied, with its key.', copy)}>
      Copy as curl
    </button>
  )
}

function rowLink(id: number): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('.requests a[href^="#/requests/"]')
  return [...links].find(({ hash }) => new RegExp(`^#/requests/${id}(?!\\d)`).test(hash))
}

/** Why the answer is as it is: a fault, the policies it came from with their evidence, or a path that is none. */
function ResponseReasons({ entry }: { entry: JournalEntry }) {
  const { fault, policies, nearest = [] } = entry
  const { link } = useDashboard()
  if (!fault && policies.length === 0 && nearest.length === 0) return null
  return (
    <section>
      <h3>Why</h3>
      {fault && (
        <p class="hint bad">
          Disturbed by <a href={link('controls', 'faults')}>{fault.id}</a> in the phase{' '}
          {fault.phase}: <code>{JSON.stringify(fault.effect)}</code>
        </p>
      )}
      {nearest.length > 0 && (
        <ul class="plain">
          {nearest.map(({ route, differs }) => (
            <li key={route}>
              Near to <code>{route}</code>: {differs}
            </li>
          ))}
        </ul>
      )}
      {policies.length > 0 && (
        <ul class="plain policies">
          {policies.map(({ id, setting, evidence, source }) => (
            <li key={id}>
              <a href={link('controls', 'policies', id)}>{id}</a> = <code>{setting}</code>{' '}
              <span class={`tag ${evidence}`}>{evidence}</span> <span class="dim">{source}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What a request did to rows: each field before and after. */
function RowChanges({ changes }: { changes: readonly JournalChange[] }) {
  if (changes.length === 0) return null
  return (
    <section>
      <h3>What changed</h3>
      {changes.map(({ list, id, kind, fields }) => (
        <table class="changes" key={`${list} ${id}`}>
          <caption>
            {list} {id} <span class="tag">{kind}</span>
          </caption>
          <thead class={kind === 'changed' ? '' : 'unseen'}>
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

/** The headers and the body of a request, or of its answer. */
function MessageSection({ title, message }: { title: string; message: JournalMessage }) {
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
