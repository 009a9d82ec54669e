import type { Exchange } from '../../http/exchange.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { type Scenario, type Step, scenarioVersion } from '../format/scenario.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'

/** A scenario made from traffic. */
export interface Recording {
  readonly scenario: Scenario
  /** What of the traffic is not in it, in whole sentences; none where everything is */
  readonly warnings: readonly string[]
}

/** What a recording says besides its steps. */
export type RecordingHead = Omit<Scenario, '$schema' | 'format_version' | 'title' | 'steps'> & {
  readonly title?: string
}

/** Where editors find the schema of scenarios, for a file in the folder of a project. */
export const schemaPath = './node_modules/understudy-api/scenarios/scenario.schema.json'

/**
 * Requests and their answers as a scenario. Ids that came from an answer are saved for the requests that use them,
 * times and ids that are another one each time are matched; keys go by their labels. Secrets and personal data are
 * replaced, unless they shall be kept.
 *
 * @throws UsageError where there is no request
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

/** What was recorded so far. @throws UsageError where that is nothing */
export function toScenario(recorder: Recorder, head: RecordingHead = {}): Scenario {
  if (recorder.length === 0) {
    throw new UsageError('Failed to record: expected at least one request, got none. Send some.')
  }
  const steps: Step[] = Array.from({ length: recorder.length }, (_, index) => recorder.step(index))
  return { ...toScenarioHead(head), steps }
}

/** All of a recording but its steps. */
export function toScenarioHead({
  title = 'Recorded',
  ...head
}: RecordingHead): Omit<Scenario, 'steps'> {
  return { $schema: schemaPath, format_version: scenarioVersion, title, ...head }
}
