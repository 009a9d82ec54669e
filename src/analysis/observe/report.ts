import { policies } from '../../policies/policies.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import type { Block, Finding, Report, Section, TestCase } from '../../utils/reports/report.ts'
import type { Observation } from './observe.ts'

/** A policy as the documentation describes it, as the live service was seen, and as a server shows it. */
interface Comparison {
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
  readonly group: GroupName
  /** Why the policy is open, as a sentence */
  readonly open: string | null
  readonly evidence: readonly string[]
}

export function compareFindings(findings: Observation['findings']): Comparison[] {
  return findings.map(({ id, value, open, seen, evidence }) => {
    const { question, documentation, ...policy } = policies[id]
    const evidenceOf = (setting: string | number) =>
      (policy.values[setting] ?? policy.values.integer)?.evidence
    const documented = evidenceOf(policy.documented) === 'documented' ? policy.documented : null
    const live = evidenceOf(policy.live) === 'assumed' ? null : policy.live
    const group = seen ? unlike : groupOf(value, documented, live)
    return { id, question, documentation, documented, live, server: value, group, open, evidence }
  })
}

/** How many policies were found, and how they compare. */
function summarizeObservation({ findings, requests }: Observation): string {
  const compared = compareFindings(findings)
  const found = findings.filter(({ value }) => value !== null).length
  const counts = groupNames.flatMap((name) => {
    const { length } = compared.filter(({ group }) => group === name)
    return length === 0 ? [] : [`${name}: ${length}.`]
  })
  return [
    `Found ${found} of ${findings.length} policies with ${requests} requests.`,
    ...counts,
  ].join(' ')
}

/** Says how the value of a server compares with what is known. */
export function describeComparison({ documented, live, server }: Comparison): string {
  const says =
    documented === null ? 'does not say' : server === documented ? 'says so' : `says ${documented}`
  const seen = live === null ? 'not seen' : server === live ? 'seen so' : `seen with ${live}`
  return `the documentation ${says}; the live service was ${seen}`
}

export const observationExtensions: readonly Extension[] = ['json', 'html', 'xml']

/** Converts an observation for printers. */
export function toReport(observation: Observation): Report {
  const { requests, left, ended, notes: facts } = observation
  const findings = compareFindings(observation.findings)
  const notes = notesOf(observation)
  const groups = groupNames.map((name) => ({
    name,
    group: findings.filter((each) => each.group === name),
  }))
  const sections = groups
    .filter(({ group }) => group.length > 0)
    .map(({ name, group }): Section => {
      return { title: name, blocks: [group[0]?.open ? toOpenTable(group) : toTable(group)] }
    })
  return {
    title: 'The policies of a server',
    intro: notes,
    counts: [
      ...groups.map(({ name, group }) => ({
        text: name,
        value: group.length,
        tone: groupTones[name],
      })),
      { text: 'Requests', value: requests },
    ],
    sections,
    json: { requests, ended, left, notes: facts, findings },
    text: `${[...notes, ...findings.map(toText)].join('\n\n')}\n`,
    junit: {
      name: 'understudy observe',
      suites: [{ name: 'The policies of a server', cases: findings.map(toCase) }],
    },
  }
}

const contradicted = 'Differs from the documentation' as const
/** No simulation with the found policies responds like the server. */
export const unlike = 'Seen, but no setting responds like it' as const
export const notSeen = 'Not seen' as const

/** What the findings of a page are grouped by, the most important first. */
const groupTones = {
  [contradicted]: 'bad',
  [unlike]: 'bad',
  'As the documentation says': 'documented',
  'As the live service was seen': 'observed',
  'Another value that the documentation leaves open': 'assumed',
  [notSeen]: '',
} as const

type GroupName = keyof typeof groupTones

const failing: readonly GroupName[] = [contradicted, unlike]

const groupNames = Object.keys(groupTones) as GroupName[]

function groupOf(
  value: string | number | null,
  documented: string | number | null,
  live: string | number | null,
): GroupName {
  if (value === null) return notSeen
  if (documented !== null) return value === documented ? 'As the documentation says' : contradicted
  return value === live
    ? 'As the live service was seen'
    : 'Another value that the documentation leaves open'
}

function toTable(findings: readonly Comparison[]): Block {
  const columns = ['Policy', 'Question', 'Documentation', 'Live service', 'This server', 'Requests']
  const rows = findings.map((compared) => {
    const { id, documented, live, server, evidence } = toCells(compared)
    const tone = groupTones[compared.group]
    return [id, compared.question, documented, live, { text: server, tone }, evidence]
  })
  return { columns, rows }
}

function toOpenTable(findings: readonly Comparison[]): Block {
  const columns = ['Policy', 'Question', 'Why it is open', 'Requests']
  const rows = findings.map((compared) => {
    return [compared.id, compared.question, compared.open ?? '', toCells(compared).evidence]
  })
  return { columns, rows }
}

/** A policy that contradicts the documentation fails, and one that was not seen is skipped. */
function toCase(compared: Comparison): TestCase {
  const { id, open, group } = compared
  const testCase = { name: id, classname: 'understudy.observe' }
  if (group === notSeen) {
    return { ...testCase, problem: { kind: 'skipped', message: open ?? '' } }
  }
  if (!failing.includes(group)) return testCase
  const { message } = toFinding(compared)
  return { ...testCase, problem: { kind: 'failure', message, type: id, text: toText(compared) } }
}

function toFinding(compared: Comparison): Finding {
  const { id, documented, server, open, documentation, evidence } = compared
  const finding = { rule: id, level: 'warning', details: evidence } as const
  if (open !== null) return { ...finding, message: `${id}: ${open}` }
  const message = `The server has ${id} = ${server}; the documentation says ${documented}.`
  return { ...finding, message, evidence: 'documented', source: documentation }
}

function toCells({ id, documented, live, server, open, evidence }: Comparison) {
  return {
    id,
    documented: String(documented ?? 'not shown'),
    live: String(live ?? 'not seen'),
    server: server === null ? `open: ${open}` : String(server),
    evidence: evidence.join('\n'),
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
  const { ended, left, notes } = observation
  const early = ended === null ? [] : [`The observation ended early. ${ended}`]
  return [summarizeObservation(observation), ...early, ...notes, ...left]
}
