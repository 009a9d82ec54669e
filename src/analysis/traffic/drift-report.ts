import { type Evidence, policies } from '../../policies/policies.ts'
import { formatDifference, groupDifferences } from '../../scenarios/run/differences.ts'
import { formatCount } from '../../utils/count.ts'
import { escapeControls } from '../../utils/escape.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import {
  type Finding,
  formatFinding,
  type Report,
  type TestCase,
} from '../../utils/reports/report.ts'
import { shortList } from '../../utils/short-list.ts'
import type {
  Confirmation,
  Contradiction,
  Drift,
  RequestEvidence,
  ShownBy,
  Undecided,
  Unexplained,
} from './drift.ts'

/**
 * What traffic can differ in: a policy whose setting is documented, observed or assumed, one of several policies, or
 * something that no policy explains.
 */
type DriftKind = Evidence | 'undecided' | 'unexplained'

export const driftKinds: readonly DriftKind[] = [
  'documented',
  'observed',
  'assumed',
  'undecided',
  'unexplained',
]

export const driftExtensions: readonly Extension[] = ['json', 'html', 'xml']

/** A traffic that was compared, and with what. */
export interface ComparedTraffic {
  readonly drift: Drift
  /** The file, as the user named it */
  readonly file: string
  /** What it was compared with, such as `the profile documented` */
  readonly settings: string
  /** The kinds that fail */
  readonly failOn: readonly DriftKind[]
}

/** A finding and its kind. */
interface DriftFinding extends Finding {
  readonly kind: DriftKind
}

/** Converts a comparison for printers. */
export function toReport(compared: ComparedTraffic): Report {
  const { drift, file, failOn } = compared
  const findings = listFindings(drift, failOn)
  const articles = findings.map(({ kind, message, details = [], cure }) => ({
    finding: message,
    label: { text: kind, tone: failOn.includes(kind) ? ('bad' as const) : ('' as const) },
    blocks: [
      { items: details.map((text) => ({ text })) },
      ...(cure === undefined ? [] : [{ paragraph: cure }]),
    ],
  }))
  const confirmed = drift.confirmed.map((each) => {
    const { value, evidence } = each.setting
    return [each.policy, String(value), { text: evidence, tone: evidence }, confirmedBy(each)]
  })
  const hidden = drift.not_tested.map(({ policy, setting, evidence, because }) => {
    return [policy, String(setting), { text: evidence, tone: evidence }, because]
  })
  const columns = ['Policy', 'Setting', 'Evidence']
  const summary = summarize(compared)
  return {
    title: `Drift: ${file}`,
    intro: [summary, ...notesOf(drift)],
    counts: [
      { text: 'differences', value: findings.length, tone: findings.length > 0 ? 'bad' : 'ok' },
      { text: 'policies confirmed', value: confirmed.length },
      { text: 'policies not tested', value: hidden.length },
      { text: 'requests compared', value: drift.requests },
    ],
    sections: [
      ...(articles.length > 0 ? [{ title: 'What differs', blocks: articles }] : []),
      { title: 'Confirmed', blocks: [{ columns: [...columns, 'By'], rows: confirmed }] },
      { title: 'Not tested', blocks: [{ columns: [...columns, 'Why'], rows: hidden }] },
    ],
    json: drift,
    junit: { name: 'understudy drift', suites: [{ name: file, cases: toCases(drift, failOn) }] },
  }
}

/** Whether something was found that fails. */
export function hasFailed({ drift, failOn }: ComparedTraffic): boolean {
  return listFindings(drift, failOn).some(({ kind }) => failOn.includes(kind))
}

/** Formats a comparison as lines for a terminal. */
export function formatDrift(compared: ComparedTraffic): string {
  const { drift, failOn } = compared
  const findings = listFindings(drift, failOn).map((finding) => formatFinding(finding).join('\n'))
  const confirmed = drift.confirmed.map(
    (each) =>
      `  ${each.policy} = ${each.setting.value} (${each.setting.evidence}): ${confirmedBy(each)}`,
  )
  const notes = notesOf(drift)
  const parts = [
    ...findings,
    ...(confirmed.length > 0 ? [['Confirmed:', ...confirmed].join('\n')] : []),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    summarize(compared),
  ]
  return parts.join('\n\n').split('\n').map(escapeControls).join('\n')
}

/** What a reader must know besides the findings. */
function notesOf({ notes, not_sent: notSent }: Drift): string[] {
  if (notSent.length === 0) return [...notes]
  const names = notSent.map(({ name }) => name)
  const subject = formatCount(notSent.length, 'request was', 'requests were')
  const reason = `because ${notSent.length === 1 ? 'it needs' : 'they need'} a value of an earlier response that differs`
  return [...notes, `${subject} not compared, ${reason}: ${shortList(names, 5).join(', ')}.`]
}

function summarize({ drift, settings }: ComparedTraffic): string {
  const { requests, explained, contradictions, undecided, unexplained, confirmed } = drift
  const count = (number: number, one: string, many: string): string[] =>
    number === 0 ? [] : [formatCount(number, one, many)]
  const ofEvidence = (evidence: Evidence): number =>
    contradictions.filter(({ expected }) => expected.evidence === evidence).length
  const found = [
    ...count(
      ofEvidence('documented'),
      'policy contradicts the documentation',
      'policies contradict the documentation',
    ),
    ...count(
      ofEvidence('observed'),
      'policy differs from what was observed',
      'policies differ from what was observed',
    ),
    ...count(
      ofEvidence('assumed'),
      'policy contradicts an assumption',
      'policies contradict assumptions',
    ),
    ...count(undecided.length, 'difference is undecided', 'differences are undecided'),
    ...count(unexplained.length, 'difference is unexplained', 'differences are unexplained'),
  ]
  const assumed = confirmed.filter(({ setting }) => setting.evidence === 'assumed').length
  const confirmations = [
    ...count(confirmed.length, 'policy is confirmed', 'policies are confirmed'),
    ...count(assumed, 'of them was assumed', 'of them were assumed'),
  ]
  const differs = found.length === 0 ? 'nothing differs' : found.join(', ')
  const with_ = `With ${settings}`
  const settled = contradictions.length === 0 ? '' : ' with the policies that were found'
  const [responses, get] = requests === 1 ? ['response', 'gets'] : ['responses', 'get']
  const explanation =
    found.length === 0
      ? ''
      : ` ${explained} of ${count(requests, 'request', 'requests').join('')} ${get} the recorded ${responses}${settled}.`
  const untested = formatCount(drift.not_tested.length, 'was', 'were')
  return `${with_}, ${differs}.${explanation} ${confirmations.join(', ') || 'No policy is confirmed'}; ${untested} not tested.`
}

function listFindings(drift: Drift, failOn: readonly DriftKind[]): DriftFinding[] {
  const found = [
    ...drift.contradictions.map(toContradiction),
    ...drift.undecided.map(toUndecided),
    ...drift.unexplained.map(toUnexplained),
  ]
  return found
    .sort((one, other) => driftKinds.indexOf(one.kind) - driftKinds.indexOf(other.kind))
    .map((finding) => ({ ...finding, level: failOn.includes(finding.kind) ? 'error' : 'note' }))
}

type Unranked = Omit<DriftFinding, 'level'>

function toContradiction(contradiction: Contradiction): Unranked {
  const { policy, question, expected, observed, or, shown_by, but, documentation } = contradiction
  const { evidence } = expected
  const against = {
    documented: `The documentation says ${expected.value}`,
    observed: `The live service was observed with ${expected.value}`,
    assumed: `${expected.value} was assumed`,
  }[evidence]
  const others = or.length === 0 ? '' : ` or ${or.join(' or ')}`
  const isLive = observed.evidence === 'observed' && policies[policy].live === observed.value
  const details = [
    `${question} ${observed.meaning}`,
    ...(evidence === 'documented' ? documentation.map((line) => `documentation: ${line}`) : []),
    ...(isLive ? ['The live service was observed with this value.'] : []),
    ...requestLines(shown_by),
    ...but.flatMap(({ value, shown_by: shown }) => [
      `But other requests show ${value}:`,
      ...requestLines(shown),
    ]),
  ]
  return {
    kind: evidence,
    rule: policy,
    message: `${policy}: the traffic shows ${observed.value}${others}. ${against}: ${expected.meaning}`,
    evidence,
    source: expected.source,
    details,
    cure: `Serve it with --policy ${policy}=${observed.value}.`,
  }
}

function toUndecided({ one_of, shown_by }: Undecided): Unranked {
  const names = one_of.map((option) =>
    option.map(({ policy, value }) => `${policy}=${value}`).join(' with '),
  )
  const message =
    names.length === 1
      ? `${names[0]} explains these requests, but contradicts others.`
      : `One of these explains the traffic: ${names.join(' or ')}.`
  return {
    kind: 'undecided',
    rule: 'undecided',
    message,
    details: [
      ...one_of.flat().map(({ policy, value, meaning }) => `${policy}=${value}: ${meaning}`),
      ...requestLines(shown_by),
    ],
  }
}

function toUnexplained(unexplained: Unexplained): Unranked {
  const { operation, differences, documentation, shown_by, follow_ups } = unexplained
  const later = formatCount(follow_ups, 'later request differs', 'later requests differ')
  const groups = groupDifferences(differences).map(({ difference, where }) => {
    const { expected, got } = formatDifference(difference)
    return `${where}: the traffic has ${expected}, the simulator ${got}`
  })
  const details = [
    ...shortList(groups, 5, (rest) => `and ${formatCount(rest, 'more difference')}`),
    ...documentation.map((line) => `documentation: ${line}`),
    ...requestLines(shown_by),
    ...(follow_ups === 0 ? [] : [`${later}, maybe because of this.`]),
  ]
  return {
    kind: 'unexplained',
    rule: 'unexplained',
    message: `${operation ?? 'A path that is unknown'}: no policy explains the response.`,
    details,
  }
}

function requestLines({ count, requests }: ShownBy): string[] {
  const rest = count - requests.length
  return [
    ...requests.map(formatRequest),
    ...(rest > 0 ? [`and ${formatCount(rest, 'more request')}`] : []),
  ]
}

function formatRequest({ name, method, path, status }: RequestEvidence): string {
  const response = status === 0 ? ' → no response' : status === null ? '' : ` → ${status}`
  return `${name}: ${method} ${path}${response}`
}

function confirmedBy({ or, shown_by: { count, at_least, requests } }: Confirmation): string {
  const [first] = requests
  const others = or.length === 0 ? '' : `; ${or.join(' and ')} would fit, too`
  return `${at_least ? 'at least ' : ''}${formatCount(count, 'request')}, first ${first?.name}${others}`
}

function toCases(drift: Drift, failOn: readonly DriftKind[]): TestCase[] {
  const failed = listFindings(drift, failOn).map((finding): TestCase => {
    const { kind, rule, message } = finding
    const text = formatFinding(finding).join('\n')
    const problem = { kind: 'failure', message, type: kind, text } as const
    return { name: rule, classname: kind, ...(failOn.includes(kind) && { problem }) }
  })
  const passed = drift.confirmed.map(({ policy, setting }): TestCase => {
    return { name: policy, classname: setting.evidence }
  })
  return [...failed, ...passed]
}
