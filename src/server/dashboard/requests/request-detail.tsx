import { TriangleAlert } from 'lucide'
import { useState } from 'preact/hooks'
import type {
  ResponseReasons,
  SuggestedRequest,
} from '../../../analysis/reasons/response-reasons.ts'
import type { JournalChange, JournalEntry } from '../../../sandbox/journal/entry.ts'
import { useDashboard } from '../kit/context.ts'
import { formatCount, formatDateTime, formatDuration, formatPath } from '../kit/format.ts'
import { EvidenceTag, Icon, MethodTag, PolicyList, StatusTag } from '../kit/inline.tsx'
import { DetailPanel, EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { useLoad } from '../kit/store.ts'
import { JsonView } from '../kit/table.tsx'
import { CopyAsCurl } from './export.tsx'
import { MessageSection } from './message-section.tsx'

export function RequestDetail({ id, back }: { id: number; back: string }) {
  const { remote, journal } = useDashboard()
  const recent = journal.entries.find((entry) => entry.id === id)
  const older = useLoad(async () => recent ?? (await remote.journal.get(id)) ?? null, [remote, id])
  const entry = recent ?? older.value
  return (
    <DetailPanel
      title={`Request ${id}`}
      actions={entry && <CopyAsCurl entry={entry} />}
      back={back}
    >
      <ErrorMessage error={older.error} />
      {entry === null && <EmptyState title="This request is no longer in the journal." />}
      {entry && <EntryDetails entry={entry} />}
    </DetailPanel>
  )
}

function EntryDetails({ entry }: { entry: JournalEntry }) {
  const { method, operation, key, response, at } = entry
  return (
    <>
      <p class="request-line">
        <MethodTag method={method} /> <code>{formatPath(entry)}</code>
      </p>
      <p class="facts">
        <StatusTag status={response.status} dropped="connection dropped" />
        <span>{operation ?? 'no matching operation'}</span>
        <span>{key === null ? 'no key' : `${key.label ?? 'unlabeled key'} (${key.value})`}</span>
        <span>{formatDuration(entry)}</span>
        <time dateTime={at}>{formatDateTime(at, 'millisecond')}</time>
      </p>
      <WhySection entry={entry} />
      <RowChanges changes={entry.changes} />
      <MessageSection title="Request" message={entry.request} />
      <MessageSection title="Response" message={response} />
    </>
  )
}

/** Why a response is as it is: one sentence, then the policies that it depends on, folded. */
function WhySection({ entry }: { entry: JournalEntry }) {
  const { policies, nearest = [] } = entry
  const { link } = useDashboard()
  return (
    <section class="why">
      <h3>Why this response</h3>
      <p class="sentence">{explainResponse(entry)}</p>
      {entry.ignored.map((input) => (
        <p key={input} class="ignored">
          <Icon icon={TriangleAlert} /> Ignored: {input}
        </p>
      ))}
      {entry.fault && (
        <p>
          <a href={link('controls', 'faults')}>Show the active faults</a>
        </p>
      )}
      {nearest.length > 1 && (
        <ul class="plain">
          {nearest.slice(1).map(({ route, difference }) => (
            <li key={route}>
              Similar route: <code>{route}</code> ({difference})
            </li>
          ))}
        </ul>
      )}
      {policies.length > 0 && (
        <details>
          <summary>
            {formatCount(policies.length, 'policy', 'policies')} that the response depends on
          </summary>
          <PolicyList policies={policies} />
        </details>
      )}
      <EvidenceDetails key={entry.id} id={entry.id} />
    </section>
  )
}

/** The reason; for an unremarkable success, what it changed. */
function explainResponse({ reason, operation, response, changes, method }: JournalEntry): string {
  const { status } = response
  if (reason !== null) return reason.replace(/(?<![?!…])$/, '.')
  if (changes.length > 0) {
    return `${status}: ${operation} succeeded and changed ${formatCount(changes.length, 'row')}.`
  }
  return `${status}: ${operation} succeeded${method === 'GET' ? '' : ' and changed no rows'}.`
}

/** The rule and the evidence of each part of a response, and a request that succeeds. Loaded when it is opened. */
function EvidenceDetails({ id }: { id: number }) {
  const { remote } = useDashboard()
  const [isOpen, setIsOpen] = useState(false)
  const { value, error } = useLoad(
    async () => (isOpen ? remote.explain(id) : undefined),
    [remote, id, isOpen],
  )
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Evidence and sources</summary>
      <ErrorMessage error={error} />
      {value && <Evidence reasons={value} />}
    </details>
  )
}

function Evidence({ reasons }: { reasons: ResponseReasons }) {
  const { decided_by, fields, headers, would_succeed } = reasons
  const { sentence, evidence, source, documentation } = decided_by
  return (
    <>
      <p>
        {sentence} <EvidenceTag evidence={evidence} /> <span class="dim">{source}</span>
      </p>
      {documentation
        .filter((text) => text !== sentence)
        .map((text) => (
          <p key={text} class="hint">
            Documentation: {text}
          </p>
        ))}
      {would_succeed && <WorkingRequest request={would_succeed} />}
      <ul class="plain policies">
        {Object.entries({ ...fields, ...headers }).map(([name, { id, evidence, source }]) => (
          <li key={name} title={source}>
            <code>{name}</code> <EvidenceTag evidence={evidence} /> {id}
          </li>
        ))}
      </ul>
    </>
  )
}

function WorkingRequest({ request: { method, path, key, body } }: { request: SuggestedRequest }) {
  return (
    <>
      <p>
        With the rows and policies of now, this request succeeds: <code>{`${method} ${path}`}</code>
        {key && ` with the key ${key.label ?? key.value}`}
      </p>
      {body !== null && <JsonView value={body} label="Body of the request that succeeds" />}
    </>
  )
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
                <td class="before">{kind === 'created' ? '' : JSON.stringify(before)}</td>
                <td class="after">{kind === 'removed' ? '' : JSON.stringify(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  )
}
