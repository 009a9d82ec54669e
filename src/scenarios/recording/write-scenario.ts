import type { Exchange } from '../../http/exchange.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { type Scenario, type Step, scenarioVersion } from '../format/scenario.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'

/** A scenario made from recorded requests. */
export interface Recording {
  readonly scenario: Scenario
  /** What the scenario leaves out, in sentences. Empty if it contains everything */
  readonly warnings: readonly string[]
}

/** The fields of a recorded scenario besides its steps. */
export type RecordingHead = Omit<Scenario, '$schema' | 'format_version' | 'title' | 'steps'> & {
  /** By default `Recorded` */
  readonly title?: string
}

/** The schema of scenarios, as a file in the root folder of a project refers to it. */
const schemaPath = './node_modules/understudy-api/scenarios/scenario.schema.json'

/**
 * Makes a scenario of requests and their responses.
 *
 * Ids that a later request uses are saved. Other ids and times become matchers. Keys are named by their labels. Secrets
 * and e-mail addresses are replaced everywhere. Names of people are replaced only in fields for names, such as
 * `first_name`, so check texts before you share a recording. With `keep`, nothing is replaced.
 *
 * @throws UsageError if there are no requests
 * @example const { scenario, warnings } = recordingOf(exchanges, { title: 'A launch is announced' })
 */
export function recordingOf(
  exchanges: Iterable<Exchange>,
  { title, ...options }: RecorderOptions & RecordingHead = {},
): Recording {
  const { baseUrl: _base, keys: _keys, keep: _keep, packing: _packing, ...head } = options
  const recorder = new Recorder(options)
  const warnings = [...exchanges].flatMap((exchange) => recorder.add(exchange).warnings)
  return { scenario: toScenario(recorder, { ...head, ...(title && { title }) }), warnings }
}

/** The scenario recorded so far. @throws UsageError if it has no steps */
export function toScenario(recorder: Recorder, head: RecordingHead = {}): Scenario {
  if (recorder.length === 0) {
    throw new UsageError('Failed to record: there are no requests. Send at least one.')
  }
  const steps: Step[] = Array.from({ length: recorder.length }, (_, index) => recorder.step(index))
  return { ...toScenarioHead(head), steps }
}

/** All fields of a recorded scenario except its steps. */
export function toScenarioHead({
  title = 'Recorded',
  ...head
}: RecordingHead): Omit<Scenario, 'steps'> {
  return { $schema: schemaPath, format_version: scenarioVersion, title, ...head }
}
