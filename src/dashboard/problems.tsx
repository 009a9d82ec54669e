import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ClientMistake } from '../mistakes/rule.ts'
import { describeEffect, type FaultInfo, type WaitingRequest } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonStart, reasonWithoutStatus } from '../simulator/journal/request-line.ts'
import { formatCount } from '../utils/text.ts'
import { useLinks, useLive } from './app.ts'
import { endSentence, formatTarget } from './format.ts'
import { ActionButton, Button } from './kit.tsx'
import { MethodTag, StatusTag, Text } from './layout.tsx'
import type { Live } from './live.ts'

/** How many problems are shown at first. */
const maxProblems = 6

/** How many requests of a problem are linked: the latest ones. */
const maxLinks = 4

/** A request that waits, a mistake of clients, or the requests that failed for one reason. */
interface Problem {
  readonly key: string
  readonly text: ComponentChildren
  /** The ids of requests that show it, in ascending order, and how many there are */
  readonly ids: readonly number[]
  readonly count: number
}

/**
 * What went wrong, the latest first: requests that wait, then failed requests and errors of clients, then warnings, then
 * notes without a failed request. A mistake lists the failures that it explains.
 */
export function listProblems({ faults, mistakes, entries }: Live): Problem[] {
  const { groups, shownBy } = groupFailures(entries, mistakes)
  const toProblems = (rank: ClientMistake['level']): Problem[] =>
    mistakes.flatMap((mistake) => {
      const failures = shownBy.get(mistake)
      const own = failures ? 'error' : mistake.level
      return own === rank ? [mistakeProblem(mistake, failures ?? [])] : []
    })
  return [
    ...faults.flatMap((fault) => fault.waiting.map((request) => waitingProblem(fault, request))),
    ...[...toProblems('error'), ...groups.map(failureProblem)].sort(byLatest),
    ...toProblems('warning').sort(byLatest),
    ...toProblems('note').sort(byLatest),
  ]
}

const byLatest = (a: Problem, b: Problem): number => Number(b.ids.at(-1)) - Number(a.ids.at(-1))

/** The problems, and how many there are. Nothing without any. */
export function Problems() {
  const live = useLive()
  const [showsAll, setShowsAll] = useState(false)
  const problems = listProblems(live)
  // A button for one more would take its place.
  const isShort = problems.length <= maxProblems + 1
  const shown = showsAll || isShort ? problems : problems.slice(0, maxProblems)
  const hidden = problems.length - shown.length
  if (problems.length === 0) return null
  return (
    <section class="problems" aria-label="Problems">
      <header class="row">
        <h2>{formatCount(problems.length, 'problem')}</h2>
        <ActionButton label="Clear" row="requests" class="quiet" work={() => live.clearJournal()} />
      </header>
      <ul class="plain">
        {shown.map(({ key, text, ids, count }) => (
          <li key={key}>
            {text} <RequestLinks ids={ids} count={count} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button label={`Show ${hidden} more`} class="quiet" onClick={() => setShowsAll(true)} />
      )}
    </section>
  )
}

function RequestLinks({ ids, count }: Pick<Problem, 'ids' | 'count'>) {
  const { linkHere } = useLinks()
  const linked = ids.slice(-maxLinks)
  if (count === 0) return null
  return (
    <span class="links">
      {count === 1 ? 'Request' : 'Requests'}
      {linked.map((id, place) => (
        <span key={id}>
          {place > 0 && ','}{' '}
          <a href={linkHere('requests', id)} aria-label={`Request ${id}`}>
            {id}
          </a>
        </span>
      ))}
      {count > linked.length && `, and ${count - linked.length} more`}
    </span>
  )
}

/** The journal does not have the request yet. */
function waitingProblem(fault: FaultInfo, { id, method, path, ms }: WaitingRequest): Problem {
  const { effect, phase } = fault
  const text = (
    <>
      <span class="tag assumed">waiting</span> <MethodTag method={method} /> <code>{path}</code> for{' '}
      {Math.round(ms / 1_000)} s.{' '}
      <Text text={`The fault \`${fault.id}\` applies: ${describeEffect(effect, phase)}.`} />
    </>
  )
  return { key: `waiting ${id}`, text, ids: [], count: 0 }
}

/** @param failures other requests that failed as its own did */
function mistakeProblem(mistake: ClientMistake, failures: readonly JournalEntry[]): Problem {
  const { rule, level, message, cure, entries } = mistake
  const all = new Set([...entries, ...failures.map(({ id }) => id)])
  const ids = [...all].sort((a, b) => a - b)
  const count = Math.max(mistake.count, ids.length)
  const text = (
    <>
      <span class={level === 'error' ? 'tag bad' : 'tag assumed'}>{rule}</span>{' '}
      <Text text={message} />{' '}
      {cure && (
        <span class="dim">
          <Text text={cure} />
        </span>
      )}
    </>
  )
  return { key: `${rule} ${message}`, text, ids, count }
}

function failureProblem(failures: readonly JournalEntry[]): Problem {
  const [first] = failures as [JournalEntry]
  const { method, reason, response } = first
  const paths = new Set(failures.map(formatTarget)).size
  const text = (
    <>
      <StatusTag status={response.status} /> <MethodTag method={method} />{' '}
      <code>{formatTarget(first)}</code>
      {paths > 1 && ` and ${formatCount(paths - 1, 'other path')}`}
      {reason && ': '}
      {reason && <Text text={endSentence(reasonWithoutStatus(reason, response.status))} />}
    </>
  )
  const ids = failures.map(({ id }) => id).sort((a, b) => a - b)
  return { key: reasonOf(first), text, ids, count: failures.length }
}

/**
 * Groups the requests that got an error or no response by their reason. Those of a mistake, and others like them, are shown
 * by it: a refused DELETE is one problem.
 */
function groupFailures(entries: readonly JournalEntry[], mistakes: readonly ClientMistake[]) {
  const failures = entries.filter(({ response: { status } }) => status === 0 || status >= 400)
  // What a request ignored is not why it failed.
  const explaining = mistakes.filter(({ rule }) => rule !== 'ignored-input')
  const byId = new Map<number, ClientMistake>()
  for (const mistake of explaining) for (const id of mistake.entries) byId.set(id, mistake)
  const nameOf = (entry: JournalEntry) => `${entry.method} ${entry.path} ${reasonOf(entry)}`
  const byName = new Map<string, ClientMistake>()
  for (const entry of failures) {
    const mistake = byId.get(entry.id)
    if (mistake) byName.set(nameOf(entry), mistake)
  }
  const groups = new Map<string, JournalEntry[]>()
  const shownBy = new Map<ClientMistake, JournalEntry[]>()
  for (const entry of failures) {
    const mistake = byId.get(entry.id) ?? byName.get(nameOf(entry))
    if (mistake) addTo(shownBy, mistake, entry)
    else addTo(groups, reasonOf(entry), entry)
  }
  return { groups: [...groups.values()], shownBy }
}

function addTo<Key>(lists: Map<Key, JournalEntry[]>, key: Key, entry: JournalEntry): void {
  const list = lists.get(key)
  if (list) list.push(entry)
  else lists.set(key, [entry])
}

function reasonOf({ reason, response }: JournalEntry): string {
  return reason ?? reasonStart(response.status)
}
