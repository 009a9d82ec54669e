import type { Evidence } from '../settings/evidence.ts'
import { formatSettingFile } from '../settings/file.ts'
import { describeValue, type SettingValues, settingsById } from '../settings/setting.ts'
import type { Report, TestCase } from '../utils/reports/report.ts'
import { formatCount, shortList } from '../utils/text.ts'
import type { ComparedSetting, Comparison, Unexplained } from './comparison.ts'
import { describeNotCompared, describeUnexplained } from './sentences.ts'

/**
 * What can fail: a value that is known to have another value, by the evidence for the expected one, and something that
 * no value explains.
 */
type FailureKind = Evidence | 'unexplained'

export const failureKinds: readonly FailureKind[] = [
  'documented',
  'source',
  'assumed',
  'unexplained',
]

/** A comparison, and what it is compared with. */
export interface ComparisonReport {
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
}

interface Section {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** Entries by what a reader looks for first. */
function toSections(report: ComparisonReport): Section[] {
  const { comparison, expected, expectation } = report
  const { settings, unexplained, not_compared } = comparison
  const toEntries = (kind: SettingKind): Entry[] =>
    settings
      .filter((setting) => kindOf(setting, expected) === kind)
      .map((setting) => toEntry(setting, report))
  const notExplained = unexplained.map((what): Entry => {
    return { name: what.part, text: describeUnexplained(what), tone: null, requests: what.requests }
  })
  const notCompared = not_compared.map((left): Entry => {
    return {
      name: left.why.replaceAll('_', ' '),
      text: describeNotCompared(left),
      tone: null,
      requests: left.requests,
    }
  })
  const sections = [
    { title: `Other than ${expectation}`, entries: toEntries('other') },
    { title: 'What these values do not explain', entries: notExplained },
    { title: 'Open', entries: toEntries('open') },
    { title: 'Not compared', entries: notCompared },
    { title: `As ${expectation}`, entries: toEntries('same') },
    { title: 'Not shown by any response', entries: toEntries('hidden') },
  ]
  return sections.filter(({ entries }) => entries.length > 0)
}

type SettingKind = 'other' | 'same' | 'open' | 'hidden'

function kindOf({ id, value, open }: ComparedSetting, expected: SettingValues): SettingKind {
  if (value === null) return open?.word === 'not_shown' ? 'hidden' : 'open'
  return value === expected[id] ? 'same' : 'other'
}

function toEntry(setting: ComparedSetting, { expected }: ComparisonReport): Entry {
  const { id: name, value, shown_by: requests } = setting
  const kind = kindOf(setting, expected)
  const entry = { name, requests }
  if (kind === 'same') return { ...entry, text: `${value}`, tone: 'good' }
  if (kind === 'hidden') return { ...entry, text: '', tone: null }
  if (kind === 'open' || value === null) return { ...entry, text: reasonOf(setting), tone: null }
  const { evidence } = describeValue(name, expected[name])
  const { meaning } = describeValue(name, value)
  const text = `${value}, not ${expected[name]} (${evidence}). In a simulator: ${meaning}`
  return { ...entry, text, tone: 'warning' }
}

/** Why a setting has no value. */
function reasonOf({ open }: ComparedSetting): string {
  return open?.sentence ?? ''
}

/** Whether something was found that is to fail. */
export function hasFailed(report: ComparisonReport): boolean {
  const { comparison, expected, failOn } = report
  if (failOn.includes('unexplained') && comparison.unexplained.length > 0) return true
  return comparison.settings.some(
    (setting) => kindOf(setting, expected) === 'other' && fails(setting, report),
  )
}

function fails({ id }: ComparedSetting, { expected, failOn }: ComparisonReport): boolean {
  return failOn.includes(describeValue(id, expected[id]).evidence)
}

/** The settings that were found, as a file for the flag `--settings`, and why the others are open. */
export function settingFileOf({ settings }: Comparison): string {
  const known = settings.filter(({ value }) => value !== null)
  const open = settings.filter(({ value }) => value === null)
  return formatSettingFile({
    settings: Object.fromEntries(known.map(({ id, value }) => [id, value])),
    open: Object.fromEntries(open.map((setting) => [setting.id, reasonOf(setting)])),
  })
}

/** Converts a comparison for printers. */
export function comparisonToReport(report: ComparisonReport): Report {
  const { comparison, subject, expected } = report
  const { unexplained, not_compared, requests, left, notes, ended } = comparison
  return {
    title: `Compared: ${subject}`,
    text: formatComparison(report),
    json: {
      ...{ requests, compared: comparison.compared, explained: comparison.explained },
      ...{ ended, left, notes },
      settings: comparison.settings.map((setting) => settingJson(setting, expected)),
      ...{ unexplained, not_compared },
    },
    junit: {
      name: 'understudy compare',
      suites: [
        {
          name: subject,
          cases: [
            ...comparison.settings.map((setting) => settingCase(setting, report)),
            ...unexplained.map((what) => unexplainedCase(what, report)),
          ],
        },
      ],
    },
  }
}

/** What a reader must know before the settings. */
function introOf({ comparison }: ComparisonReport): string[] {
  const { requests, compared, explained, settings, not_compared, notes, left, ended } = comparison
  const rest = not_compared.reduce((sum, { requests }) => sum + requests.length, 0)
  const known = settings.filter(({ value }) => value !== null).length
  return [
    `Found ${known} of ${settings.length} settings with ${formatCount(requests, 'request')}. They explain ${explained} of ${formatCount(compared, 'response')} that could be compared${rest === 0 ? '' : `, and ${formatCount(rest, 'request')} could not be`}.`,
    ...(ended === null ? [] : [`The comparison ended early. ${ended}`]),
    ...notes,
    ...left,
  ]
}

/** A setting for programs. Why it is open is a word, and a sentence for people. */
function settingJson(setting: ComparedSetting, expected: SettingValues): object {
  const { id, value, shown_by, or, open } = setting
  const { question, default: usual, live = usual } = settingsById[id]
  const { meaning = null, evidence = null } = value === null ? {} : describeValue(id, value)
  return {
    ...{ id, question, value, meaning, evidence, default: usual, live },
    is_documented: describeValue(id, usual).evidence === 'documented',
    is_observed: describeValue(id, live).evidence !== 'assumed',
    ...{ shown_by, or, open: open?.word ?? null, reason: open?.sentence ?? null },
    expected: expected[id],
  }
}

function settingCase(setting: ComparedSetting, report: ComparisonReport): TestCase {
  const { id, value, shown_by } = setting
  const testCase = { name: id, classname: 'understudy.compare.settings' }
  const { [id]: wanted } = report.expected
  if (value === null)
    return { ...testCase, problem: { kind: 'skipped', message: reasonOf(setting) } }
  if (value === wanted || !fails(setting, report)) return testCase
  const message = `${id} is ${value}, and ${wanted} in ${report.expectation}.`
  return { ...testCase, problem: { kind: 'failure', message, type: id, text: shown_by.join('\n') } }
}

function unexplainedCase(what: Unexplained, { failOn }: ComparisonReport): TestCase {
  const { part: name, requests } = what
  const testCase = { name, classname: 'understudy.compare.unexplained' }
  if (!failOn.includes('unexplained')) return testCase
  const message = `Not explained: ${name} is ${describeUnexplained(what)}.`
  const text = requests.join('\n')
  return { ...testCase, problem: { kind: 'failure', message, type: 'unexplained', text } }
}

/** Colours a text by what it means. */
type PaintText = (
  tone: 'good' | 'bad' | 'warning' | 'name' | 'faint' | 'strong',
  text: string,
) => string

/** Formats a comparison as text. */
export function formatComparison(
  report: ComparisonReport,
  paint: PaintText = (_tone, text) => text,
): string {
  const lines = introOf(report)
  for (const { title, entries } of toSections(report)) {
    lines.push(`\n${paint('strong', title)}`)
    for (const { name, text, tone, requests } of entries) {
      const line = `${paint('name', name)}  ${tone === null ? text : paint(tone, text)}`
      if (tone !== 'good') lines.push(line.trimEnd(), ...listRequests(requests, paint))
      else lines.push(`${line}  ${paint('faint', formatCount(requests.length, 'request'))}`)
    }
  }
  return lines.join('\n')
}

const shownRequests = 3

function listRequests(requests: readonly string[], paint: PaintText): string[] {
  return shortList(requests, shownRequests, (rest) => `and ${rest} more`).map((line) =>
    paint('faint', `  ${line}`),
  )
}
