import type { Scenario } from '../../scenarios/format/scenario.ts'
import { escapeControls, shortList } from '../../utils/text.ts'
import type { Incident, IncidentExpectation } from '../incident.ts'
import { type Language, toCode, toComment } from './source-code.ts'

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
  const outcome =
    incident.expectations.length === 0
      ? [`The test passes. ${incident.title}.`, 'Expect what should have been different.']
      : [
          'The test fails with the recorded requests, and passes with a client that does better.',
          // Nothing on the wire tells a client that shows an error from one that hides it.
          ...(incident.expectations.every((expectation) => 'no_mistake' in expectation)
            ? []
            : ['If your client shows the error instead, expect what it shows.']),
        ]
  // The command has the name of a file, which must not end the comment.
  return ['Written by understudy-api import. Edit it as you like. Run it:', command, ...outcome]
    .map((line) => `${language.comment} ${escapeControls(line)}`)
    .join('\n')
}

export const phasesComment =
  'A client cannot know whether a create that failed was carried out, so the test tries both.'

/** The code of the faults. If they have two phases, that is a variable. */
export function faultsCode(
  { faults, faultsAfterCommit = faults }: Incident,
  language: Language,
  column: number,
): string[] {
  const [name, value] = [language.field('phase'), language.quote('before')]
  return faults.map((fault, at) => {
    const code = toCode(fault, language, column)
    const isConstant = fault === faultsAfterCommit[at]
    return isConstant
      ? code
      : code.replace(`${name}: ${value}`, name === 'phase' ? name : `${name}: phase`)
  })
}

/** How many requests a comment lists. */
const maxListed = 12

/** The comment at the place where the requests of a client go, with the recorded requests. */
export function clientComment({ incident }: TestSource, language: Language, how: string): string {
  const listed = incident.requests.map(({ title }, index) => `  ${index + 1}. ${title}`)
  return [
    `Call your client here instead: ${how} These are the recorded requests:`,
    ...shortList(listed, maxListed, (rest) => `  and ${rest} more`),
  ]
    .map((line) => toComment(line, language))
    .join('\n')
}

/** The label of the key of the recorded requests. They are those of one client, and some can have no key. */
export function mainKey({ requests }: Incident): string | undefined {
  return requests.find(({ key }) => key !== undefined)?.key
}

/**
 * Writes the expectations of a test. If there are several, each has the failure that breaks it as a comment; the title of
 * the test says a single one.
 */
export function writeExpectations(
  { expectations, reached }: Incident,
  language: Language,
  write: (expectation: IncidentExpectation, number: number) => string,
): string[] {
  const all = [...expectations, ...reached]
  return all.flatMap((expectation, index) => {
    const code = write(expectation, index + 1)
    return all.length === 1 ? [code] : [toComment(expectation.failure, language), code]
  })
}
