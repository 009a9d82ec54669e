import type { Scenario } from '../../../scenarios/format/scenario.ts'
import type { FaultRequest } from '../../../simulator/faults/schema.ts'
import { shortList } from '../../../utils/count.ts'
import { escapeControls } from '../../../utils/escape.ts'
import type { Incident, IncidentExpectation, MetFault } from '../incident.ts'
import { type Language, toComment } from './source-code.ts'

/** What the writer of a test knows. */
export interface TestSource {
  readonly incident: Incident
  readonly scenario: Scenario
  /** The name of the scenario's file, which is beside the test */
  readonly scenarioFile: string
  readonly command: string
}

/** The fields of a scenario that are options of a simulator, if it has them. */
export function setupFields(scenario: Scenario): string[] {
  const names = ['world', 'seed', 'profile', 'settings', 'clock'] as const
  return names.filter((name) => scenario[name] !== undefined)
}

export function fileComment({ incident, command }: TestSource, language: Language): string {
  const isGreen = incident.expectations.length === 0
  const lines = isGreen
    ? [
        'The test passes: the recorded requests leave no failure.',
        'Expect what should have been different.',
      ]
    : ['The test fails with the recorded requests, and passes with a client that does better.']
  // The command has the name of a file, which must not end the comment.
  return ['Written by understudy-api import. Edit it as you like. Run it:', command, ...lines]
    .map((line) => `${language.comment} ${escapeControls(line)}`)
    .join('\n')
}

/** How many requests a comment lists. */
const maxListed = 12

/** The comment at the place where the requests of a client go, with the recorded requests. */
export function clientComment(source: TestSource, language: Language, how: string): string {
  const { requests, faults } = source.incident
  const projects = projectsOf(source.scenario)
  const project =
    projects.length === 0
      ? []
      : [`The project${projects.length === 1 ? ' is' : 's are'} ${projects.join(' and ')}.`]
  const counting =
    faults.length === 0 ? [] : ['Faults count calls, whatever the order of the recorded requests.']
  const hints = [how, ...project, ...counting].join(' ')
  const listed = requests.map(({ title }, index) => `  ${index + 1}. ${title}`)
  return [
    `Call your client here instead: ${hints} These are the recorded requests:`,
    ...shortList(listed, maxListed, (rest) => `  and ${rest} more`),
  ]
    .map((line) => toComment(line, language))
    .join('\n')
}

/** What a test says whose client did not meet the fault of the named failure. */
export function neverMetMessage({ called }: MetFault): string {
  return `The client never met the recorded failure: ${escapeControls(called)} was not called, or was refused. Check its URL, its key and its project.`
}

/** The ids of the projects in the paths of the recorded requests. */
function projectsOf(scenario: Scenario): string[] {
  const paths = scenario.steps.flatMap((step) => ('method' in step ? step.path : []))
  return [...new Set(paths.flatMap((path) => /\/projects\/(\d+)\//.exec(path)?.[1] ?? []))]
}

/** The label of the key that most of the recorded requests have. */
export function mainKey({ requests }: Incident): string | undefined {
  const counts = new Map<string, number>()
  for (const { key } of requests) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** How long faults delay the recorded requests, and ask a client to wait, in milliseconds. Random delays do not count. */
export function totalDelay(faults: readonly FaultRequest[]): number {
  const delays = faults.map((fault) => {
    if (!('effect' in fault)) return 0
    const { delay_ms: delay, headers } = fault.effect
    const wait = Number(headers?.['retry-after'] ?? 0) * 1_000
    return (typeof delay === 'number' ? delay : 0) + (wait || 0)
  })
  return delays.reduce((sum, delay) => sum + delay, 0)
}

/** A request whose connection breaks needs no wait: the client sees the same failure at once. */
export function withoutWait(fault: FaultRequest): FaultRequest {
  if (!('effect' in fault) || !fault.effect.drop) return fault
  const { delay_ms: _, ...effect } = fault.effect
  return { ...fault, effect }
}

/**
 * Writes the expectations of a test. Equal ones are written once. If there are several, each has the failures that break
 * it as a comment; the title of the test says a single one.
 *
 * @param fallback what a test of a recording without failures expects
 */
export function toLines(
  incident: Incident,
  language: Language,
  fallback: string,
  write: (expectation: IncidentExpectation) => string,
): string[] {
  const expectations = [...incident.expectations, ...incident.reached]
  if (expectations.length === 0) return [fallback]
  const failures = new Map<string, string[]>()
  for (const expectation of expectations) {
    const code = write(expectation)
    failures.set(code, [...(failures.get(code) ?? []), expectation.failure])
  }
  if (expectations.length === 1) return [...failures.keys()]
  return [...failures].flatMap(([code, texts]) => [
    ...texts.map((text) => toComment(text, language)),
    code,
  ])
}
