import { getResponse } from 'msw'
import { expect } from 'vitest'
import { updateExpectations } from '../../../src/cli/update-expectations.ts'
import {
  createSimulator,
  type Exchange,
  type Recording,
  recordingOf,
  replayHandlers,
  type Scenario,
  scenarioReport,
} from '../../../src/index.ts'
import { Hider } from '../../../src/scenarios/recording/hide.ts'
import { diffValues } from '../../../src/utils/diff.ts'
import { UsageError } from '../../../src/utils/errors.ts'
import { formatJson } from '../../../src/utils/format-json.ts'
import { isObject, tryParseJson } from '../../../src/utils/json.ts'
import { Aliases } from '../../../src/utils/redaction/aliases.ts'
import { type Run, runSession, type Session, worldOf } from './session.ts'

/** A law of the chain from a recording to a replay, which holds for every session. */
export interface Law {
  readonly name: string
  /** How many of ten acts of a session happen without a request. What a proxy cannot see is none */
  readonly changes: number
  /** @throws Error with what differs */
  readonly check: (session: Session, mutation: Mutation) => Promise<void>
}

export const laws: readonly Law[] = [
  {
    name: 'the recording of a journal replays whole',
    changes: 2,
    check: (session) => checkRecording(session, recordJournal, replaysWhole),
  },
  {
    name: 'the recording of a proxy replays whole on the same server',
    changes: 0,
    check: (session) => checkRecording(session, recordExchanges, replaysWhole),
  },
  {
    name: 'a served recording of a journal answers the same client as before',
    changes: 2,
    check: (session) => checkRecording(session, recordJournal, answersTheSame),
  },
  {
    name: 'a served recording of a proxy answers the same client as before',
    changes: 0,
    check: (session) => checkRecording(session, recordExchanges, answersTheSame),
  },
  { name: 'a dry run refuses what a replay refuses', changes: 2, check: isCheckedAlike },
  { name: 'an update changes nothing but what differed', changes: 2, check: isMendedByUpdate },
]

type Recorded = (session: Session, run: Run) => Recording
type Check = (scenario: Scenario, session: Session, run: Run) => Promise<void>

async function checkRecording(session: Session, record: Recorded, check: Check): Promise<void> {
  const run = await runSession(session)
  if (run.exchanges.length === 0) return
  const { scenario } = record(session, run)
  const written = JSON.parse(JSON.stringify(scenario)) as Scenario
  await check(written, session, run)
}

const recordJournal: Recorded = (_session, { simulator }) => simulator.record()

const recordExchanges: Recorded = ({ start, redact }, { simulator, exchanges }) => {
  const keys = Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
  return recordingOf(exchanges, { ...start, keys, redact, world: worldOf(start) })
}

const replaysWhole: Check = async (scenario) => {
  const result = await createSimulator().replay(scenario, { decide: false })
  if (!result.passed) throw new Error(`${scenarioReport(result)}\n${JSON.stringify(scenario)}`)
}

const answersTheSame: Check = async (scenario, session, { exchanges }) => {
  const handlers = replayHandlers(scenario, { onlyRecorded: true })
  const served = await runSession(session, {
    async fetch(request) {
      const response = await getResponse([...handlers], request as Request)
      if (!response || response.type === 'error') throw new TypeError('The connection is broken.')
      return response
    },
  })
  const hider = new Hider(new Aliases(), session.redact)
  for (const exchange of exchanges) hider.collect(exchange)
  const hidden = exchanges.map((exchange) => hider.exchange(exchange).exchange)
  for (const [index, { response }] of served.exchanges.entries()) {
    const [before, shown] = [exchanges[index], hidden[index]].map((one) => one?.response)
    const differences = compareAnswers(before, shown, response)
    if (differences.length === 0) continue
    const lines = [differences, served.exchanges[index], scenario]
    throw new Error(lines.map((line) => JSON.stringify(line)).join('\n'))
  }
  expect(handlers.replay.unused).toEqual([])
}

/** @param hidden the first answer without its secrets. A served one can have other texts in their places */
function compareAnswers(
  before: Exchange['response'] | undefined,
  hidden: Exchange['response'] | undefined,
  served: Exchange['response'],
): unknown[] {
  if (before?.status !== served.status) return [before?.status, served.status]
  const bodies = [before, hidden, served].map((one) => {
    const text = one?.body && 'text' in one.body ? one.body.text : ''
    return tryParseJson(text)?.value ?? text
  })
  const [sent, shown, received] = bodies
  const places = diffValues(sent, shown).map(({ path }) => path.join('/'))
  return diffValues(sent, received).filter(
    ({ path, got }) => typeof got !== 'string' || !places.includes(path.join('/')),
  )
}

/** A change of one value in a JSON document: where, as a share of all places, and to what. */
export interface Mutation {
  readonly place: number
  /** Undefined to remove it */
  readonly value: unknown
}

/** The paths of all members at a depth. The members of the value itself have depth 1. */
function pathsAtDepth(value: unknown, depth: number): (string | number)[][] {
  if (depth === 0) return [[]]
  return membersOf(value).flatMap(([name, member]) =>
    pathsAtDepth(member, depth - 1).map((path) => [name, ...path]),
  )
}

function membersOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member])
  return isObject(value) ? Object.entries(value) : []
}

/** Changes one value of a document. */
export function mutateJson<T>(document: T, { place, value }: Mutation): T {
  const paths = [1, 2, 3, 4, 5, 6].flatMap((depth) => pathsAtDepth(document, depth))
  const path = paths[Math.floor(place * paths.length)] ?? []
  const copy = structuredClone(document)
  const parent = path.slice(0, -1).reduce<unknown>((inner, name) => Object(inner)[name], copy)
  const name = path.at(-1) as string
  if (value === undefined) {
    if (Array.isArray(parent)) parent.splice(Number(name), 1)
    else delete (parent as Record<string, unknown>)[name]
  } else (parent as Record<string, unknown>)[name] = value
  return copy
}

/** A recorded scenario, written and read again. Null for a session without requests. */
export async function recordSession(session: Session): Promise<Scenario | null> {
  const run = await runSession(session)
  if (run.exchanges.length === 0) return null
  return JSON.parse(JSON.stringify(recordJournal(session, run).scenario)) as Scenario
}

/** A dry run refuses exactly what a replay refuses before its first step. */
export async function isCheckedAlike(session: Session, mutation: Mutation): Promise<void> {
  const recorded = await recordSession(session)
  if (!recorded) return
  const scenario = mutateJson(recorded, mutation)
  const refusal = async (options: { dry_run?: boolean }): Promise<string | null> => {
    const replay = createSimulator().replay(scenario, { decide: false, ...options })
    return replay.then(
      () => null,
      (error: unknown) => {
        if (error instanceof UsageError) return error.message
        throw error
      },
    )
  }
  expect(await refusal({ dry_run: true })).toBe(await refusal({}))
}

/** An update of a scenario in which one expected value was changed gives the scenario from before the change. */
export async function isMendedByUpdate(session: Session, { place }: Mutation): Promise<void> {
  const recorded = await recordSession(session)
  if (!recorded) return
  const leaves = [4, 5, 6, 7]
    .flatMap((depth) => pathsAtDepth(recorded, depth))
    .filter((path) => {
      const value = path.reduce<unknown>((inner, name) => Object(inner)[name], recorded)
      const isLiteral = typeof value === 'string' || typeof value === 'number'
      const isBody = path[0] === 'steps' && path[2] === 'expect' && path[3] === 'exact_body'
      const isMatcher = path.some((name) => /^\$(?!text$)/.test(String(name)))
      return isLiteral && isBody && !isMatcher
    })
  const path = leaves[Math.floor(place * leaves.length)]
  if (!path) return
  const value = path.reduce<unknown>((inner, name) => Object(inner)[name], recorded)
  // What was hidden matches any value.
  if (typeof value === 'string' && value.includes('replaced-')) return
  const scenario = structuredClone(recorded)
  const parent = path.slice(0, -1).reduce<unknown>((inner, name) => Object(inner)[name], scenario)
  const changed = typeof value === 'string' ? `${value}!` : Number(value) + 1
  Object.assign(parent as object, { [path.at(-1) as string]: changed })
  const result = await createSimulator().replay(scenario, { decide: false })
  const updated = updateExpectations(scenario, result)
  expect([result.passed, formatJson(updated)]).toEqual([false, formatJson(recorded)])
}
