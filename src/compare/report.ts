import { type Evidence, evidences } from '../settings/evidence.ts'
import { formatSettingFile } from '../settings/file.ts'
import { describeValue, type SettingValues } from '../settings/setting.ts'
import type { Report, TestCase } from '../utils/reports/report.ts'
import { formatCount, shortList } from '../utils/text.ts'
import {
  type ComparedSetting,
  type Comparison,
  describeNotCompared,
  describeUnexplained,
} from './comparison.ts'

/**
 * What can fail: a value that is known to have another value, by the evidence for the expected one, and something that
 * no value explains.
 */
type FailureKind = Evidence | 'unexplained'

export const failureKinds: readonly FailureKind[] = [...evidences.toReversed(), 'unexplained']

interface ComparisonReport {
  readonly comparison: Comparison
  /** The server, as the user named it */
  readonly subject: string
  readonly expected: SettingValues
  /** What the settings are compared with, such as `the profile documented` */
  readonly expectation: string
  readonly failOn: readonly FailureKind[]
}

/** Something that was found, in the words of each format. */
interface Entry {
  readonly name: string
  /** A sentence, or the beginning of one */
  readonly text: string
  readonly tone: 'good' | 'warning' | null
  readonly requests: readonly string[]
  /** What a test case of it is. Undefined for none */
  readonly outcome?: 'passed' | 'skipped' | 'failure'
}

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

type SettingKind = 'other' | 'same' | 'open' | 'hidden'

function toSections(report: ComparisonReport): Section[] {
  const { comparison, expected, expectation, failOn } = report
  const entriesOf = (kind: SettingKind): Entry[] =>
    comparison.settings
      .filter((setting) => kindOf(setting, expected) === kind)
      .map((setting) => toEntry(setting, kind, report))
  const notExplained = comparison.unexplained.map((what): Entry => {
    const outcome = failOn.includes('unexplained') ? 'failure' : 'passed'
    const { part: name, requests } = what
    return { name, text: describeUnexplained(what), tone: null, requests, outcome }
  })
  const notCompared = comparison.not_compared.map((left): Entry => {
    const name = left.why.replaceAll('_', ' ')
    return { name, text: describeNotCompared(left), tone: null, requests: left.requests }
  })
  const sections = [
    { title: `Other than ${expectation}`, entries: entriesOf('other') },
    { title: 'What these values do not explain', entries: notExplained },
    { title: 'Open', entries: entriesOf('open') },
    { title: 'Not compared', entries: notCompared },
    { title: `As ${expectation}`, entries: entriesOf('same') },
    { title: 'Not shown by any response', entries: entriesOf('hidden') },
  ]
  return sections.filter(({ entries }) => entries.length > 0)
}

function kindOf({ id, value, or, open }: ComparedSetting, expected: SettingValues): SettingKind {
  if (open?.word === 'several_fit' && !or.includes(expected[id])) return 'other'
  if (value === null) return open?.word === 'not_shown' ? 'hidden' : 'open'
  return value === expected[id] ? 'same' : 'other'
}

function toEntry(
  setting: ComparedSetting,
  kind: SettingKind,
  { expected, failOn }: ComparisonReport,
): Entry {
  const { id: name, value, shown_by: requests, open } = setting
  const reason = open?.sentence ?? ''
  const entry = { name, requests, tone: null }
  if (kind === 'same') return { ...entry, text: `${value}`, tone: 'good', outcome: 'passed' }
  if (kind !== 'other')
    return { ...entry, text: kind === 'hidden' ? '' : reason, outcome: 'skipped' }
  const { evidence } = describeValue(name, expected[name])
  const not = `not ${expected[name]} (${evidence})`
  const text =
    value === null
      ? `${reason} It is ${not}.`
      : `${value}, ${not}. In a simulator: ${describeValue(name, value).meaning}`
  const outcome = failOn.includes(evidence) ? 'failure' : 'passed'
  return { ...entry, text, tone: 'warning', outcome }
}

function settingFileOf({ settings }: Comparison) {
  const results = settings.filter(({ value }) => value !== null)
  const open = settings.filter(({ value }) => value === null)
  return formatSettingFile({
    settings: Object.fromEntries(results.map(({ id, value }) => [id, value])),
    open: Object.fromEntries(open.map(({ id, open: why }) => [id, why?.sentence ?? ''])),
  })
}

/** What its command needs of a comparison, beside the report. */
interface ComparedReport extends Report {
  /** Whether something was found that is to fail */
  readonly hasFailed: boolean
  /** The settings that were found, as a file for the flag `--settings` */
  readonly settingFile: string
}

/** Converts a comparison for printers. @param paint colours the text for a terminal */
export function comparisonToReport(report: ComparisonReport, paint?: PaintText): ComparedReport {
  const { comparison, subject, expected } = report
  const { unexplained, not_compared, requests, left, notes, ended } = comparison
  const cases = toSections(report).flatMap(({ entries }) => entries.flatMap(toCase))
  return {
    title: `Compared: ${subject}`,
    text: formatComparison(report, paint),
    json: {
      ...{ requests, compared: comparison.compared, explained: comparison.explained },
      ...{ ended, left, notes },
      settings: comparison.settings.map(({ id, open, ...found }) => {
        const why = { open: open?.word ?? null, reason: open?.sentence ?? null }
        return { id, ...found, ...why, expected: expected[id] }
      }),
      ...{ unexplained, not_compared },
    },
    junit: { name: 'understudy compare', suites: [{ name: subject, cases }] },
    hasFailed: cases.some(({ problem }) => problem?.kind === 'failure'),
    settingFile: settingFileOf(comparison),
  }
}

function introOf({ comparison }: ComparisonReport) {
  const { requests, compared, explained, settings, not_compared, notes, left, ended } = comparison
  const rest = not_compared.reduce((sum, { requests }) => sum + requests.length, 0)
  const count = settings.filter(({ value }) => value !== null).length
  return [
    `Found ${count} of ${settings.length} settings with ${formatCount(requests, 'request')}. They explain ${explained} of ${formatCount(compared, 'response')} that could be compared${rest === 0 ? '' : `, and ${formatCount(rest, 'request')} could not be`}.`,
    ...(ended === null ? [] : [`The comparison ended early. ${ended}`]),
    ...notes,
    ...left,
  ]
}

function toCase({ name, text, requests, outcome }: Entry): TestCase[] {
  if (outcome === undefined) return []
  const testCase = { name, classname: 'understudy.compare' }
  if (outcome === 'passed') return [testCase]
  const problem = {
    kind: outcome,
    message: text === '' ? `No response shows ${name}.` : `${name}: ${text}`,
  }
  return [{ ...testCase, problem: { ...problem, text: requests.join('\n') } }]
}

type PaintText = (tone: 'good' | 'warning' | 'name' | 'faint' | 'strong', text: string) => string

const shownRequests = 3

function formatComparison(report: ComparisonReport, paint: PaintText = (_tone, text) => text) {
  const lines = introOf(report)
  for (const { title, entries } of toSections(report)) {
    lines.push(`\n${paint('strong', title)}`)
    for (const { name, text, tone, requests } of entries) {
      const line = `${paint('name', name)}  ${tone === null ? text : paint(tone, text)}`.trimEnd()
      const shown = shortList(requests, shownRequests)
      if (tone === 'good') {
        lines.push(`${line}  ${paint('faint', formatCount(requests.length, 'request'))}`)
      } else lines.push(line, ...shown.map((request) => paint('faint', `  ${request}`)))
    }
  }
  return lines.join('\n')
}
