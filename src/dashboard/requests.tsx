import { useMemo } from 'preact/hooks'
import type { Remote } from '../admin/connect.ts'
import { curlExample } from '../report/curl.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonWithoutStatus } from '../simulator/journal/request-line.ts'
import { formatJson } from '../utils/format-json.ts'
import { formatCount } from '../utils/text.ts'
import { useAction, useApp, useLinks, useLive, useLoad, useParams } from './app.ts'
import { formatDuration, formatTarget, formatTime, matchesWords } from './format.ts'
import { ActionButton, Button, CodeLine, SearchField } from './kit.tsx'
import { Empty, MethodTag, Split, StatusTag, Text } from './layout.tsx'
import { Pages, pageSize, useOffset } from './pages.tsx'
import { maxEntries } from './problem-list.ts'
import { Problems } from './problems.tsx'
import { RequestDetail } from './request-detail.tsx'

/** The requests, with the reason for each response. What went wrong stands above them. */
export function RequestsView({ path: [id] }: { path: readonly string[] }) {
  const { remote } = useApp()
  const live = useLive()
  const { entries } = live
  const run = useAction()
  const { linkHere } = useLinks()
  const { params, field } = useParams()
  const offset = useOffset()
  const filter = params.filter?.trim() ?? ''
  const open = id === undefined ? undefined : Number(id)
  const shown = useMemo(
    () => entries.filter((entry) => filter === '' || matchesWords(searchText(entry), filter)),
    [entries, filter],
  )
  const ids = shown.map((entry) => entry.id).toReversed()
  const detail = open !== undefined && (
    <RequestDetail key={open} id={open} back={linkHere('requests')} />
  )
  return (
    <Split label="Requests" detail={detail}>
      <Problems />
      <div class="row toolbar">
        <SearchField label="Filter: patch 404, 4xx, fault, changed" {...field('filter')} />
        <span class="dim" role="status">
          {shown.length} shown
        </span>
        <details>
          <summary>More</summary>
          <Button
            label="Save as scenario"
            disabled={ids.length === 0}
            onClick={() => run(() => exportScenario(remote, ids))}
          />
          <ActionButton label="Clear requests" work={() => live.clearJournal()} />
        </details>
      </div>
      {entries.length === maxEntries && (
        <p class="dim">
          {filter === '' ? 'These are' : 'The filter searches'} the latest{' '}
          {maxEntries.toLocaleString('en')}.
        </p>
      )}
      {entries.length === 0 && live.connection !== 'lost' && <NoRequests />}
      {entries.length > 0 && shown.length === 0 && <Empty title="No request matches the filter." />}
      {shown.length > 0 && (
        <RequestTable entries={shown.slice(offset, offset + pageSize)} open={open} />
      )}
      {shown.length > pageSize && <Pages count={shown.length} />}
    </Split>
  )
}

function searchText(entry: JournalEntry) {
  const { method, operation, key, response, fault, changes, ignored } = entry
  const status = response.status || 'dropped'
  return [
    ...[method, formatTarget(entry), operation ?? 'no operation', key?.label, key?.value, status],
    `${String(status).charAt(0)}xx`,
    fault && 'fault',
    changes.length > 0 && 'changed',
    ignored.length > 0 && 'ignored',
  ]
    .filter(Boolean)
    .join(' ')
}

function RequestTable(props: { entries: readonly JournalEntry[]; open: number | undefined }) {
  return (
    <table class="requests">
      <thead>
        <tr>
          <th class="number">No.</th>
          <th>Status</th>
          <th>Request and reason</th>
          <th class="wide">Key</th>
          <th class="wide number">Duration</th>
          <th class="wide">Time</th>
        </tr>
      </thead>
      <tbody>
        {props.entries.map((entry) => (
          <RequestRow key={entry.id} entry={entry} isOpen={entry.id === props.open} />
        ))}
      </tbody>
    </table>
  )
}

function RequestRow({ entry, isOpen }: { entry: JournalEntry; isOpen: boolean }) {
  const { linkHere } = useLinks()
  const href = linkHere('requests', entry.id)
  const { id, method, key, at, ms, reason, ignored, changes, response } = entry
  return (
    <tr class={isOpen ? 'current' : ''}>
      <td class="number dim">{id}</td>
      <td>
        <StatusTag status={response.status} />
      </td>
      <td>
        <MethodTag method={method} />{' '}
        <a class="opens path" href={href}>
          {formatTarget(entry)}
        </a>{' '}
        {changes.length > 0 && (
          <span class="tag">{formatCount(changes.length, 'row')} changed</span>
        )}
        {reason !== null && (
          <p class="dim">
            <Text text={reasonWithoutStatus(reason, response.status)} />
          </p>
        )}
        {ignored.length > 0 && <p class="warn">Ignored: {ignored.join('; ')}</p>}
      </td>
      <td class="wide dim">{key?.label ?? key?.value}</td>
      <td class="wide number dim">{formatDuration(ms)}</td>
      <td class="wide dim">{formatTime(at, 'millisecond').slice('2024-06-03 '.length)}</td>
    </tr>
  )
}

function NoRequests() {
  const { isInPage } = useApp()
  const { sandboxes } = useLive()
  const { value } = useLoad(async ({ url, keys, world }) => {
    const [projects, users] = [await world.find('projects'), await world.find('users')]
    return curlExample(url, await keys.list(), projects.rows, users.rows)
  })
  return (
    <Empty title="No requests here. They appear as they arrive.">
      {value && !isInPage && (
        <>
          <p>Send the first one from a terminal:</p>
          <CodeLine text={value} name="the curl command" />
        </>
      )}
      {sandboxes.length > 0 && <p>Each sandbox has its own requests: select it above.</p>}
    </Empty>
  )
}

/** Downloads requests and their responses as a scenario. @param ids the oldest first @returns the message to show */
async function exportScenario(remote: Remote, ids: readonly number[]) {
  const { scenario, warnings } = await remote.record({ entries: ids })
  const name =
    scenario.title
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? 'scenario'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${formatJson(scenario)}\n`]))
  link.download = `${name}.json`
  link.click()
  URL.revokeObjectURL(link.href)
  return [`Downloaded ${name}.json, with keys and personal data replaced.`, ...warnings].join('\n')
}
