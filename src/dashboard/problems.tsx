import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ClientMistake } from '../mistakes/rule.ts'
import { describeEffect, type FaultInfo, type WaitingRequest } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonStart, reasonWithoutStatus } from '../simulator/journal/reason.ts'
import { formatCount } from '../utils/count.ts'
import { useLinks, useLive } from './app.ts'
import { endSentence, formatTarget } from './format.ts'
import { Button } from './kit.tsx'
import { MethodTag, StatusTag, Text } from './layout.tsx'
import type { Live } from './live.ts'

/** How many problems are shown at first. */
const maxProblems = 6

/** How many requests of a problem are linked. */
const maxLinks = 4

/** A request that waits, a mistake of clients, or the requests that failed for one reason. */
interface Problem {
  readonly key: string
  readonly text: ComponentChildren
  /** The ids of requests that show it, and how many there are */
  readonly ids: readonly number[]
  readonly count: number
}

/** What went wrong, the worst first: requests that wait, errors of clients, failed requests, warnings and notes. */
export function listProblems({ faults, mistakes, entries, isWhole }: Live): Problem[] {
  const isError = ({ level }: ClientMistake) => level === 'error'
  return [
    ...faults.flatMap((fault) => fault.waiting.map((request) => waitingProblem(fault, request))),
    ...mistakes.filter(isError).map(mistakeProblem),
    ...groupFailures(entries).map((failures) => failureProblem(failures, isWhole)),
    ...mistakes.filter((mistake) => !isError(mistake)).map(mistakeProblem),
  ]
}

/** The problems, and how many there are. Nothing without any. */
export function Problems() {
  const live = useLive()
  const [showsAll, setShowsAll] = useState(false)
  const problems = listProblems(live)
  const shown = showsAll ? problems : problems.slice(0, maxProblems)
  const hidden = problems.length - shown.length
  if (problems.length === 0) return null
  return (
    <section class="problems" aria-label="Problems">
      {live.isWhole && <h2>{formatCount(problems.length, 'problem')}</h2>}
      <ul class="plain">
        {shown.map(({ key, text, ids, count }) => (
          <li key={key}>
            {text} <RequestLinks ids={ids} count={count} />
          </li>
        ))}
      </ul>
      {live.isWhole && hidden > 0 && (
        <Button label={`Show ${hidden} more`} class="quiet" onClick={() => setShowsAll(true)} />
      )}
    </section>
  )
}

function RequestLinks({ ids, count }: Pick<Problem, 'ids' | 'count'>) {
  const { isWhole } = useLive()
  const { linkHere } = useLinks()
  const linked = ids.slice(0, maxLinks)
  if (count === 0) return null
  return (
    <span class="links">
      {count === 1 ? 'Request' : 'Requests'}
      {linked.map((id) => (
        <a key={id} href={linkHere('requests', id)} aria-label={`Request ${id}`}>
          {id}
        </a>
      ))}
      {isWhole && count > linked.length && ` and ${count - linked.length} more`}
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

function mistakeProblem({ rule, level, message, cure, entries, count }: ClientMistake): Problem {
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
  return { key: `${rule} ${message}`, text, ids: entries, count }
}

function failureProblem(failures: readonly JournalEntry[], isWhole: boolean): Problem {
  const [first] = failures as [JournalEntry]
  const { method, reason, response } = first
  const paths = new Set(failures.map(formatTarget)).size
  const text = (
    <>
      <StatusTag status={response.status} /> <MethodTag method={method} />{' '}
      <code>{formatTarget(first)}</code>{' '}
      {isWhole && paths > 1 && `and ${formatCount(paths - 1, 'other path')} `}
      {reason && <Text text={endSentence(reasonWithoutStatus(reason, response.status))} />}
    </>
  )
  const ids = failures.map(({ id }) => id)
  return { key: reasonOf(first), text, ids, count: failures.length }
}

/** The requests that got an error or no response, together with those that got it for the same reason. */
function groupFailures(entries: readonly JournalEntry[]): JournalEntry[][] {
  const groups = new Map<string, JournalEntry[]>()
  for (const entry of entries) {
    const { status } = entry.response
    if (status > 0 && status < 400) continue
    const reason = reasonOf(entry)
    groups.set(reason, [...(groups.get(reason) ?? []), entry])
  }
  return [...groups.values()]
}

function reasonOf({ reason, response }: JournalEntry): string {
  return reason ?? reasonStart(response.status)
}
