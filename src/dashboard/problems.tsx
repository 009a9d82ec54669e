import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ClientMistake } from '../mistakes/rule.ts'
import { describeEffect, type FaultInfo, type WaitingRequest } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import { reasonWithoutStatus } from '../simulator/journal/request-line.ts'
import { formatCount } from '../utils/text.ts'
import { useLinks, useLive } from './app.ts'
import { endSentence, formatTarget } from './format.ts'
import { ActionButton, Button } from './kit.tsx'
import { MethodTag, StatusTag, Text } from './layout.tsx'
import { listProblems, type Problem } from './problem-list.ts'

const maxProblems = 6

/** How many requests of a problem are linked: the latest ones. */
const maxLinks = 4

export function Problems() {
  const live = useLive()
  const [showsAll, setShowsAll] = useState(false)
  const problems = listProblems(live.faults, live.mistakes, live.entries).sort(byRank)
  const shown = showsAll ? problems : problems.slice(0, maxProblems)
  if (problems.length === 0) return null
  return (
    <section class="problems" aria-label="Problems">
      <header class="row">
        <h2>{formatCount(problems.length, 'problem')}</h2>
        <ActionButton label="Clear" row="requests" class="quiet" work={() => live.clearJournal()} />
      </header>
      <ul class="plain">
        {shown.map((problem) => (
          <li key={keyOf(problem)}>
            {textOf(problem)} <RequestLinks problem={problem} />
          </li>
        ))}
      </ul>
      {shown.length < problems.length && (
        <Button label="Show all" class="quiet" onClick={() => setShowsAll(true)} />
      )}
    </section>
  )
}

function RequestLinks({ problem }: { problem: Problem }) {
  const { linkHere } = useLinks()
  const ids = idsOf(problem)
  const linked = ids.slice(-maxLinks)
  const count = Math.max(problem.mistake?.count ?? 0, ids.length)
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

function idsOf({ mistake, failures }: Problem) {
  const ids = new Set([...(mistake?.entries ?? []), ...failures.map(({ id }) => id)])
  return [...ids].sort((a, b) => a - b)
}

/** Requests that wait, then failed requests and errors of clients, then warnings, then notes. The latest ones first */
const byRank = (a: Problem, b: Problem) =>
  rankOf(a) - rankOf(b) || Number(idsOf(b).at(-1)) - Number(idsOf(a).at(-1))

/** Requests that wait have no level. */
const rankOf = ({ mistake, failures }: Problem) =>
  ['error', 'warning', 'note'].indexOf(failures.length > 0 ? 'error' : String(mistake?.level))

const keyOf = ({ waiting, mistake, failures }: Problem) =>
  waiting?.[1].id ?? mistake?.message ?? failures.at(-1)?.id

function textOf({ waiting, mistake, failures }: Problem): ComponentChildren {
  if (waiting) return waitingText(...waiting)
  return mistake ? mistakeText(mistake) : failureText(failures)
}

function waitingText({ id, effect, phase }: FaultInfo, { method, path, ms }: WaitingRequest) {
  return (
    <>
      <span class="tag assumed">waiting</span> <MethodTag method={method} /> <code>{path}</code> for{' '}
      {Math.round(ms / 1_000)} s.{' '}
      <Text text={`The fault \`${id}\` applies: ${describeEffect(effect, phase)}.`} />
    </>
  )
}

function mistakeText({ rule, level, message, cure }: ClientMistake) {
  return (
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
}

function failureText(failures: readonly JournalEntry[]) {
  const [first] = failures as [JournalEntry]
  const { method, reason, response } = first
  const paths = new Set(failures.map(formatTarget)).size
  return (
    <>
      <StatusTag status={response.status} /> <MethodTag method={method} />{' '}
      <code>{formatTarget(first)}</code>
      {paths > 1 && ` and ${formatCount(paths - 1, 'other path')}`}
      {reason && ': '}
      {reason && <Text text={endSentence(reasonWithoutStatus(reason, response.status))} />}
    </>
  )
}
