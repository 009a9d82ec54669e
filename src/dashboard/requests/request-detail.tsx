import { useEffect, useRef } from 'preact/hooks'
import type { JournalEntry } from '../../journal/entry.ts'
import { copyText } from '../kit/copy.ts'
import { useAction, useDashboard } from '../kit/place.ts'
import { EmptyState, ErrorMessage } from '../kit/states.tsx'
import { useLoad } from '../kit/use-load.ts'
import { formatDuration, formatPath, statusClass } from './address.ts'
import { RowChanges } from './changes.tsx'
import { toCurl } from './curl.ts'
import { fetchHar } from './export.ts'
import { MessageSection } from './message.tsx'
import { ResponseReasons } from './why.tsx'

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
