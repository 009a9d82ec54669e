import { expect } from 'vitest'
import {
  type Exchange,
  type RecorderOptions,
  type Recording,
  type ReplayResult,
  type RequestStep,
  recordingOf,
  type Scenario,
  type Step,
} from '../../../src/index.ts'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'

/** What a request and its answer were, as short as a test can say it. */
interface ExchangeInput {
  readonly method?: string
  readonly url?: string
  /** What follows `Bearer ` */
  readonly bearer?: string
  readonly sent?: unknown
  readonly status?: number
  readonly heard?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Where the API of such exchanges begins. */
export const exampleOrigin = 'https://api.example.com'

/** A request and its answer, JSON both ways. */
export function createExchange({
  method = 'GET',
  url = '/api/projects/1/annotations/',
  bearer,
  sent,
  status = 200,
  heard,
  headers = {},
}: ExchangeInput): Exchange {
  const body = (value: unknown) => (value === undefined ? null : { text: JSON.stringify(value) })
  return {
    at: '2024-06-15T12:00:00.000Z',
    ms: 2,
    method,
    url: `${exampleOrigin}${url}`,
    request: {
      headers: [
        ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`] as const]),
        ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body: body(sent),
    },
    answer: { status, headers: [['content-type', 'application/json']], body: body(heard) },
  }
}

/** Requests as a recording, which has no faults. */
export function recordExchanges(
  told: readonly ExchangeInput[],
  options: RecorderOptions = {},
): Recording {
  const recording = recordingOf(told.map(createExchange), options)
  expect(findScenarioIssues(recording.scenario)).toEqual([])
  return recording
}

/** Its steps. */
export function recordSteps(
  told: readonly ExchangeInput[],
  options: RecorderOptions = {},
): readonly RequestStep[] {
  return recordExchanges(told, options).scenario.steps as RequestStep[]
}

/** Requests by their method and path, changes as they are. */
export function summarizeSteps({ steps }: Scenario): unknown[] {
  return steps.map((step: Step) => ('method' in step ? `${step.method} ${step.path}` : step))
}

/** What is not as expected. */
export function stepDifferences({ steps }: ReplayResult): unknown[] {
  return steps.filter(({ outcome }) => outcome !== 'held').map(({ differences }) => differences)
}
