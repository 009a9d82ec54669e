import { useState } from 'preact/hooks'
import type { Remote } from '../admin/connect.ts'
import { formatCurl } from '../report/curl.ts'
import type {
  JournalChange,
  JournalEntry,
  JournalMessage,
  MaskedKey,
} from '../simulator/journal/entry.ts'
import { formatCount } from '../utils/text.ts'
import type { KeyRow } from '../world/rows.ts'
import { useApp, useLinks, useLive, useLoad } from './app.ts'
import { endSentence, formatDuration, formatTarget, formatTime } from './format.ts'
import { ActionButton, copyText } from './kit.tsx'
import {
  Detail,
  Empty,
  EvidenceTag,
  JsonView,
  LoadError,
  MethodTag,
  StatusTag,
  Text,
} from './layout.tsx'

export function RequestDetail({ id, back }: { id: number; back: string }) {
  const { remote, isInPage } = useApp()
  // It can be opened before it arrives.
  const isListed = useLive().entries.some((entry) => entry.id === id)
  const { value: entry, error } = useLoad(
    async ({ journal }) => (await journal.get(id)) ?? null,
    [id, isListed],
  )
  const actions = entry && (
    <ActionButton
      label={isInPage ? 'Copy as fetch' : 'Copy as curl'}
      work={() => copyRequest(entry, remote, isInPage)}
    />
  )
  return (
    <Detail title={`Request ${id}`} back={back} actions={actions}>
      <LoadError error={error} />
      {entry === null && <Empty title="The journal does not have this request." />}
      {entry && <Entry entry={entry} />}
    </Detail>
  )
}

function Entry({ entry }: { entry: JournalEntry }) {
  const { method, operation, key, request, response, changes, at, ms } = entry
  return (
    <>
      <p>
        <MethodTag method={method} /> <code>{formatTarget(entry)}</code>
      </p>
      <p class="row">
        <StatusTag status={response.status} />
        <span>{operation ?? 'no operation'}</span>
        <span>{key === null ? 'no key' : `${key.label ?? 'unknown key'} (${key.value})`}</span>
        <span>{formatDuration(ms)}</span>
        <time dateTime={at}>{formatTime(at, 'millisecond')}</time>
      </p>
      <Why entry={entry} />
      {changes.map((change) => (
        <ChangeLine key={`${change.list} ${change.id}`} change={change} />
      ))}
      <Message title="Request" message={request} />
      <Message title="Response" message={response} />
    </>
  )
}

/** Why a response is as it is: one sentence, then the settings that it depends on, folded. */
function Why({ entry }: { entry: JournalEntry }) {
  const { settings, ignored } = entry
  const { link } = useLinks()
  return (
    <section class="why">
      <h3>Why this response</h3>
      <p class="sentence">
        <Text text={describeOutcome(entry)} />
      </p>
      {ignored.length > 0 && <p class="warn">Ignored: {ignored.join('; ')}</p>}
      {settings.length > 0 && (
        <details>
          <summary>{formatCount(settings.length, 'setting')} that the response depends on</summary>
          <ul class="plain small">
            {settings.map(({ id, value, evidence }) => (
              <li key={id}>
                <a href={link('settings', id)}>{id}</a> = <code>{value}</code>{' '}
                <EvidenceTag evidence={evidence} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <EvidenceSection key={entry.id} id={entry.id} />
    </section>
  )
}

/** The reason; for an unremarkable success, what it changed. */
function describeOutcome({ reason, operation, method, response, changes }: JournalEntry) {
  if (reason !== null) return endSentence(reason)
  const rows = changes.length === 0 ? 'no rows' : formatCount(changes.length, 'row')
  return `${response.status}: ${operation ?? method} succeeded and changed ${rows}.`
}

/** The rule behind a response, its evidence, and a request that succeeds. Loaded when it is opened. */
function EvidenceSection({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false)
  const { value, error } = useLoad(
    async (remote) => (isOpen ? remote.explain(id) : undefined),
    [id, isOpen],
  )
  const { decided_by: rule, would_succeed: request } = value ?? {}
  const documentation = rule?.documentation.filter((text) => text !== rule.sentence) ?? []
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Evidence, and a request that succeeds</summary>
      <LoadError error={error} />
      {value && !rule && !request && <p class="dim">None is known.</p>}
      {rule && (
        <p>
          {rule.sentence} <EvidenceTag evidence={rule.evidence} />{' '}
          <span class="dim">
            {rule.source} {documentation.length > 0 && `Documentation: ${documentation.join(' ')}`}
          </span>
        </p>
      )}
      {request && (
        <p>
          With the rows and settings of now, this request succeeds:{' '}
          <code>{`${request.method} ${request.path}`}</code>
          {request.key && ` with the key ${request.key.label ?? request.key.value}`}
        </p>
      )}
      {request && request.body !== null && <JsonView value={request.body} label="Its body" />}
    </details>
  )
}

function ChangeLine({ change: { list, id, kind, fields } }: { change: JournalChange }) {
  const { link } = useLinks()
  return (
    <section>
      <h3>
        <a href={link('rows', list, id)}>
          {list} {id}
        </a>{' '}
        {kind}
      </h3>
      <ul class="plain small">
        {Object.entries(fields).map(([field, [before, after]]) => (
          <li key={field}>
            <code>{field}</code> {kind !== 'created' && <del>{JSON.stringify(before)}</del>}{' '}
            {kind !== 'removed' && <ins>{JSON.stringify(after)}</ins>}
          </li>
        ))}
      </ul>
    </section>
  )
}

const omittedBody = 'The journal does not have the body: it exceeds its limit.'

function Message({ title, message }: { title: string; message: JournalMessage }) {
  const { body, bytes, omitted } = message
  const headers = Object.entries(message.headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <section>
      <h3>
        {title} <span class="dim">{bytes > 0 ? formatCount(bytes, 'byte') : 'no body'}</span>
      </h3>
      {headers.length > 0 && (
        <details>
          <summary>{formatCount(headers.length, 'header')}</summary>
          <JsonView value={headers.join('\n')} label={`${title} headers`} />
        </details>
      )}
      {omitted && <p class="dim">{omittedBody}</p>}
      {body !== null && <JsonView value={body} label={`${title} body`} />}
    </section>
  )
}

/** Headers that a client sends itself, or that belong to the connection. */
const omittedHeaders =
  /^(accept-encoding|authorization|connection|content-length|host|origin|referer|sec-.*|transfer-encoding|user-agent)$/

/**
 * Copies code that sends a request again: a curl command, or a call of `fetch` for the page that the simulator runs in. The
 * journal masks keys, so the whole key is looked up.
 */
async function copyRequest(entry: JournalEntry, { keys, url }: Remote, isInPage: boolean) {
  const { method, key, request } = entry
  const { body, omitted } = request
  if (omitted) throw new Error(omittedBody)
  const headers = Object.entries(request.headers).filter(([name]) => !omittedHeaders.test(name))
  if (key) headers.unshift(['authorization', `Bearer ${findKey(key, await keys.list())}`])
  const text = body === null || typeof body === 'string' ? body : JSON.stringify(body)
  const target = url + formatTarget(entry)
  const code = isInPage
    ? toFetch(method, target, Object.fromEntries(headers), text)
    : formatCurl(
        method,
        target,
        headers.map((header) => header.join(': ')),
        text,
      )
  return copyText(code, `the ${isInPage ? 'call of fetch' : 'curl command'}`)
}

function toFetch(method: string, url: string, headers: object, body: string | null) {
  const init = { method, headers, ...(body !== null && { body }) }
  return `await fetch(${JSON.stringify(url)}, ${JSON.stringify(init, null, 2)})`
}

/** The value of a masked key, by its label, or by its start and end if it has none. */
function findKey({ label, value }: MaskedKey, keys: readonly KeyRow[]) {
  const [start = '', end = ''] = value.split('…')
  const isMeant = (key: KeyRow) =>
    label === null ? key.value.startsWith(start) && key.value.endsWith(end) : key.label === label
  const [first, second] = keys.filter(isMeant)
  return first && !second ? first.value : 'YOUR_KEY'
}
