import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { describeEffect } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonStart, reasonWithoutStatus } from '../simulator/journal/reason.ts'
import { formatCount } from '../utils/count.ts'
import { useLinks, useLive } from './app.ts'
import { endSentence, formatPath } from './format.ts'
import { Button } from './kit.tsx'
import { MethodTag, StatusTag } from './layout.tsx'
import type { Live } from './live.ts'

/** How many kinds of failed requests are shown at first. */
const maxFailures = 3

/** How many requests of a line are linked. */
const maxLinks = 4

/** The requests that faults hold or delay, the mistakes of clients, and the failed requests by their reason. Nothing without any. */
export function Trouble() {
  const live = useLive()
  const { link } = useLinks()
  const [showsAll, setShowsAll] = useState(false)
  const { mistakes, isWhole } = live
  const delaying = live.faults.filter(({ waiting }) => waiting > 0)
  const waiting = delaying.reduce((sum, fault) => sum + fault.waiting, 0)
  const failures = groupFailures(live.entries)
  const hidden = showsAll ? 0 : Math.max(0, failures.length - maxFailures)
  if (waiting + mistakes.length + failures.length === 0) return null
  const titles = [
    waiting > 0 && formatCount(waiting, 'waiting request'),
    mistakes.length > 0 && `${formatCount(mistakes.length, 'mistake')} of clients`,
    failures.length > 0 && formatCount(failures.flat().length, 'failed request'),
  ]
  return (
    <section class="trouble" aria-labelledby="trouble">
      {isWhole && <h2 id="trouble">{titles.filter(Boolean).join(', ')}</h2>}
      <ul class="plain">
        {delaying.map(({ id, effect, phase, waiting }) => (
          <li key={id}>
            <span class="tag assumed">waiting</span> {formatCount(waiting, 'request')}. The{' '}
            <a href={link('faults')}>fault {id}</a> applies: {describeEffect(effect, phase)}.
          </li>
        ))}
        {mistakes.map(({ rule, level, message, cure, entries, count }) => (
          <Line key={`${rule} ${message}`} ids={entries} count={count}>
            <span class={level === 'error' ? 'tag bad' : 'tag assumed'}>{rule}</span> {message}{' '}
            <span class="dim">{cure}</span>
          </Line>
        ))}
        {failures.slice(0, failures.length - hidden).map((entries) => (
          <FailureLine key={entries[0]?.reason} entries={entries} />
        ))}
      </ul>
      {isWhole && hidden > 0 && (
        <Button
          label={`Show ${formatCount(hidden, 'more kind')} of failure`}
          class="quiet"
          onClick={() => setShowsAll(true)}
        />
      )}
    </section>
  )
}

function FailureLine({ entries }: { entries: readonly JournalEntry[] }) {
  const [first] = entries as [JournalEntry]
  const { method, reason, response } = first
  const { isWhole } = useLive()
  const paths = new Set(entries.map(formatPath)).size
  return (
    <Line ids={entries.map(({ id }) => id)} count={entries.length}>
      <StatusTag status={response.status} /> <MethodTag method={method} />{' '}
      <code>{formatPath(first)}</code>{' '}
      {isWhole && paths > 1 && `and ${formatCount(paths - 1, 'other path')}`}{' '}
      {reason && endSentence(reasonWithoutStatus(reason, response.status))}
    </Line>
  )
}

/** A line with links to its requests. */
function Line(props: { ids: readonly number[]; count: number; children: ComponentChildren }) {
  const { ids, count, children } = props
  const { isWhole } = useLive()
  const { linkHere } = useLinks()
  const linked = ids.slice(0, maxLinks)
  return (
    <li>
      {children} {count === 1 ? 'Request' : 'Requests'}{' '}
      {linked.map((id) => [
        <a key={id} href={linkHere('requests', id)} aria-label={`Request ${id}`}>
          {id}
        </a>,
        ' ',
      ])}
      {isWhole && count > linked.length && `and ${count - linked.length} more`}
    </li>
  )
}

/** How many lines there are, for the badge in the navigation. None is counted before all are known. */
export function countTrouble({ mistakes, entries, isWhole }: Live): number {
  if (!isWhole) return 0
  return mistakes.length + groupFailures(entries).length
}

/** The requests that got an error or no response, together with those that got it for the same reason. */
function groupFailures(entries: readonly JournalEntry[]): JournalEntry[][] {
  const groups = new Map<string, JournalEntry[]>()
  for (const entry of entries) {
    const { reason, response } = entry
    if (response.status > 0 && response.status < 400) continue
    const sentence = reason ?? reasonStart(response.status)
    groups.set(sentence, [...(groups.get(sentence) ?? []), entry])
  }
  return [...groups.values()]
}
