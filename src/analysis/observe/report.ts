import { policies } from '../../policies/policies.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import type { Report, Tone } from '../../utils/reports/report.ts'
import type { Finding, Observation } from './observe.ts'

/** A policy as the documentation describes it, as the live service was seen, and as a server shows it. */
export interface Comparison {
  readonly id: string
  readonly question: string
  /** What the documentation says */
  readonly documentation: string
  /** The value that the documentation says. Null if it says none */
  readonly documented: string | number | null
  /** The value that the live service was seen to have. Null if it was not seen */
  readonly live: string | number | null
  /** The value of the server. Null if it is open */
  readonly server: string | number | null
  readonly agrees:
    | 'with both'
    | 'with the documentation'
    | 'with the live service'
    | 'with neither'
    | null
  /** Why the policy is open, as a sentence */
  readonly open: string | null
  readonly evidence: readonly string[]
}

export function compareFindings(findings: readonly Finding[]): Comparison[] {
  return findings.map(({ id, value, open, evidence }) => {
    const { question, documentation, ...policy } = policies[id]
    const evidenceOf = (setting: string | number) =>
      (policy.values[setting] ?? policy.values.integer)?.evidence
    const documented = evidenceOf(policy.documented) === 'documented' ? policy.documented : null
    const live = evidenceOf(policy.live) === 'assumed' ? null : policy.live
    const agrees = value === null ? null : agreement(value, documented, live)
    return { id, question, documentation, documented, live, server: value, agrees, open, evidence }
  })
}

function agreement(
  value: string | number,
  documented: string | number | null,
  live: string | number | null,
): Comparison['agrees'] {
  if (value === documented) return value === live ? 'with both' : 'with the documentation'
  return value === live ? 'with the live service' : 'with neither'
}

/** How many policies were found, and how many of them agree with what. */
export function summarizeObservation({ findings, requests }: Observation): string {
  const compared = compareFindings(findings)
  const count = (agrees: Comparison['agrees']): number =>
    compared.filter((each) => each.agrees === agrees).length
  const open = count(null)
  const parts = (
    ['with both', 'with the documentation', 'with the live service', 'with neither'] as const
  )
    .map((agrees) => [agrees, count(agrees)] as const)
    .filter(([, number]) => number > 0)
    .map(
      ([agrees, number]) =>
        `${number} ${number === 1 ? 'agrees' : 'agree'} ${agrees === 'with both' ? 'with the documentation and the live service' : agrees}`,
    )
  const found = `Found ${findings.length - open} of ${findings.length} policies with ${requests} requests`
  return `${[found, ...parts, `${open} ${open === 1 ? 'is' : 'are'} open`].join(', ')}.`
}

export const observationExtensions: readonly Extension[] = ['json', 'html', 'md', 'txt']

/** Converts an observation for printers. */
export function toReport(observation: Observation): Report {
  const { requests, left, ended } = observation
  const findings = compareFindings(observation.findings)
  const notes = notesOf(observation)
  const columns = ['Policy', 'Documentation', 'Live service', 'This server', 'Evidence']
  const rows = findings.map((compared) => {
    const { id, documented, live, server, evidence } = toCells(compared)
    return [id, documented, live, { text: server, tone: toneOf(compared) }, evidence]
  })
  return {
    title: 'The policies of a server',
    intro: notes,
    sections: [{ title: 'Policies', blocks: [{ columns, rows }] }],
    json: { requests, ended, left, findings },
    text: `${[...notes, ...findings.map(toText)].join('\n\n')}\n`,
  }
}

function toCells({ id, documented, live, server, open, evidence }: Comparison) {
  return {
    id,
    documented: String(documented ?? 'not shown'),
    live: String(live ?? 'not seen'),
    server: server === null ? `open: ${open}` : String(server),
    evidence: evidence.join('; '),
  }
}

function toText(compared: Comparison): string {
  const { id, documented, live, server } = toCells(compared)
  const lines = [
    compared.question,
    `The documentation: ${compared.documentation}`,
    `documentation  ${documented}`,
    `live service   ${live}`,
    `this server    ${server}`,
    ...compared.evidence,
  ]
  return [id, ...lines.map((line) => `  ${line}`)].join('\n')
}

/** What a reader must know before the policies. */
export function notesOf(observation: Observation): string[] {
  const { ended, left } = observation
  const early = ended === null ? [] : [`The observation ended early. ${ended}`]
  return [summarizeObservation(observation), ...early, ...left]
}

function toneOf({ server, documented, agrees }: Comparison): Tone {
  if (agrees === null) return 'observed'
  return agrees === 'with neither' || (documented !== null && server !== documented) ? 'bad' : 'ok'
}
