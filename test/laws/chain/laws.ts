import { getResponse } from 'msw'
import { expect } from 'vitest'
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
import { tryParseJson } from '../../../src/utils/json.ts'
import { Aliases } from '../../../src/utils/redaction/aliases.ts'
import { type Run, runSession, type Session, worldOf } from './session.ts'

/** A law of the chain from a recording to a replay, which holds for every session. */
export interface Law {
  readonly name: string
  /** How many of ten acts of a session happen without a request. What a proxy cannot see is none */
  readonly changes: number
  /** @throws Error with what differs */
  readonly check: (session: Session) => Promise<void>
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
]

type Record = (session: Session, run: Run) => Recording
type Check = (scenario: Scenario, session: Session, run: Run) => Promise<void>

async function checkRecording(session: Session, record: Record, check: Check): Promise<void> {
  const run = await runSession(session)
  if (run.exchanges.length === 0) return
  const { scenario } = record(session, run)
  const written = JSON.parse(JSON.stringify(scenario)) as Scenario
  await check(written, session, run)
}

const recordJournal: Record = (_session, { simulator }) => simulator.record()

const recordExchanges: Record = ({ start, redact }, { simulator, exchanges }) => {
  const keys = Object.fromEntries(simulator.keys.list().map(({ label, value }) => [label, value]))
  return recordingOf(exchanges, { ...start, keys, redact, world: worldOf(start) })
}

const replaysWhole: Check = async (scenario) => {
  const result = await createSimulator().replay(scenario, { decide: false })
  if (!result.passed) throw new Error(`${scenarioReport(result)}\n${JSON.stringify(scenario)}`)
}

const answersTheSame: Check = async (scenario, session, { exchanges }) => {
  const handlers = replayHandlers(scenario)
  const served = await runSession(session, {
    async fetch(request) {
      const response = await getResponse([...handlers], request as Request)
      if (!response || response.type === 'error') throw new TypeError('The connection is broken.')
      return response
    },
  })
  const hider = new Hider(new Aliases(session.redact), session.redact)
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
