import type { Exchange } from '../../http/exchange.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import type { ReplayResult } from '../../scenarios/run/result.ts'
import { isObject } from '../../utils/json.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import type { SimulatorReplayOptions } from '../replay-in-simulator.ts'
import type { Assumption } from './assumption.ts'
import { scenarioFileOf, scenarioFromTraffic } from './from-traffic.ts'
import { findIncident } from './incident.ts'
import { type HarScan, readHar } from './read-har.ts'
import { isEntry, journalValues, readJournal } from './read-journal.ts'
import {
  type TestFile,
  type TestRunner,
  testRunners,
  writeTestFile,
} from './test-files/test-file.ts'

/** A file to import. */
export interface ImportRequest {
  /** The name of the file, such as `incident.har` */
  readonly name: string
  /** A HAR archive, the entries of a journal, or a scenario: the value, or the text of the file */
  readonly content: object | string
  /** The base URL of the API in an archive. By default it is detected */
  readonly base?: string
  /** The label of the key of requests whose key the archive lacks */
  readonly default_key?: string
}

/** What was found in an imported file. */
export interface ImportedTraffic {
  readonly scenario: Scenario
  /** The name of the file of the scenario, such as `incident.json` */
  readonly scenario_file: string
  /** The base URL of the requests of an archive. Null for a scenario */
  readonly base_url: string | null
  /** The recorded requests, with the numbers of their steps from 1 */
  readonly requests: readonly { readonly step: number; readonly title: string }[]
  /** How many entries of an archive were left out, by the reason */
  readonly left_out: Readonly<Record<string, number>>
  /** What the derived world assumes */
  readonly assumptions: readonly Assumption[]
  /** What the scenario leaves out, in sentences */
  readonly warnings: readonly string[]
  /** What failed, as a clause */
  readonly title: string
  /** Each failure, as a clause */
  readonly failures: readonly string[]
  /** The number of faults that the requests met, such as lost responses */
  readonly faults: number
  /** The steps that a simulator answers otherwise */
  readonly differing: readonly number[]
  /** A test for each runner, to be saved beside the scenario */
  readonly tests: readonly (TestFile & { readonly runner: TestRunner })[]
}

/**
 * Converts a HAR archive or a journal, or reads a scenario, and writes its tests.
 *
 * @param replay replays a scenario in a world of its own
 * @throws UsageError with every issue of the file
 */
export async function importTraffic(
  { name, content, base, default_key: missingKey }: ImportRequest,
  replay: (scenario: Scenario, options: SimulatorReplayOptions) => Promise<ReplayResult>,
): Promise<ImportedTraffic> {
  const subject = `Failed to read ${name}: it`
  const value = typeof content === 'string' ? parseContent(content, name) : content
  const read = readContent(value, subject, base)
  const derived = read
    ? scenarioFromTraffic(read.exchanges, {
        ...(read.baseUrl !== undefined && { baseUrl: read.baseUrl }),
        ...(missingKey !== undefined && { missingKey }),
      })
    : { scenario: value, failure: null, assumptions: [], warnings: [] }
  const parsed = parseScenario(derived.scenario, name)
  const incident = await findIncident(parsed, replay)
  const failure = incident.expectations.length > 0 ? incident.title : derived.failure
  const scenario = read ? { ...parsed, title: failure ?? `Imported from ${name}` } : parsed
  const scenarioFile = scenarioFileOf(name)
  const differing = incident.result.steps.filter(({ outcome }) => outcome !== 'passed')
  return {
    scenario,
    scenario_file: scenarioFile,
    base_url: read?.baseUrl ?? null,
    requests: incident.requests.map(({ step, title }) => ({ step, title })),
    left_out: Object.fromEntries(read?.leftOut ?? []),
    assumptions: derived.assumptions,
    warnings: derived.warnings,
    title: incident.title,
    failures: incident.expectations.map(({ failure }) => failure),
    faults: incident.faults.length,
    differing: differing.map(({ step }) => step),
    tests: testRunners.map((runner) => ({
      runner,
      ...writeTestFile(incident, scenario, runner, scenarioFile),
    })),
  }
}

interface ReadContent extends Partial<HarScan> {
  readonly exchanges: readonly Exchange[]
}

/** Parses the text of a file, which can be a journal with an entry in each line. @throws UsageError if it is not JSON */
function parseContent(text: string, name: string): unknown {
  return journalValues(text) ?? parseJsonText(text, name)
}

/** The requests of an archive or a journal. Null for a scenario, and for any other value. */
function readContent(
  content: unknown,
  subject: string,
  base: string | undefined,
): ReadContent | null {
  if (isObject(content) && 'log' in content) {
    return readHar(content, { subject, base, baseOption: '"base"' })
  }
  const entries = isEntry(content) ? [content] : content
  if (!Array.isArray(entries)) return null
  const exchanges: Exchange[] = []
  readJournal(entries, subject, (exchange) => void exchanges.push(exchange))
  return { exchanges }
}
