import { describeValue, type Evidence, type SettingValues } from '../../settings/setting.ts'
import { formatCount, shortList } from '../../utils/count.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import type { Block, Report, Section, TestCase } from '../../utils/reports/report.ts'
import type { ComparedSetting, Comparison, Unexplained } from './comparison.ts'
import { notShown } from './conclude.ts'

/**
 * What can fail: a value that is known to have another value, by the evidence for the expected one, and something that
 * no value explains.
 */
type FailureKind = Evidence | 'unexplained'

export const failureKinds: readonly FailureKind[] = [
  'documented',
  'observed',
  'assumed',
  'unexplained',
]

export const comparisonExtensions: readonly Extension[] = ['html', 'json', 'xml']

/** A comparison, and what it is compared with. */
export interface ComparisonReport {
  readonly comparison: Comparison
  /** The server or the file, as the user named it */
  readonly subject: string
  readonly expected: SettingValues
  /** What the settings are compared with, such as `the profile documented` */
  readonly expectation: string
  readonly failOn: readonly FailureKind[]
}

/** Settings by what a reader looks for first. */
interface Groups {
  readonly other: readonly ComparedSetting[]
  readonly same: readonly ComparedSetting[]
  readonly open: readonly ComparedSetting[]
  readonly hidden: readonly ComparedSetting[]
}

function groupSettings({ comparison, expected }: ComparisonReport): Groups {
  const { settings } = comparison
  const known = settings.filter(({ value }) => value !== null)
  const isSame = ({ id, value }: ComparedSetting): boolean => value === expected[id]
  return {
    other: known.filter((each) => !isSame(each)),
    same: known.filter(isSame),
    open: settings.filter(({ value, open }) => value === null && open !== notShown),
    hidden: settings.filter(({ open }) => open === notShown),
  }
}

/** Whether something was found that is to fail. */
export function hasFailed(report: ComparisonReport): boolean {
  const { comparison, failOn } = report
  if (failOn.includes('unexplained') && comparison.unexplained.length > 0) return true
  return groupSettings(report).other.some((each) => fails(each, report))
}

function fails({ id }: ComparedSetting, { expected, failOn }: ComparisonReport): boolean {
  return failOn.includes(describeValue(id, expected[id]).evidence)
}

/** Converts a comparison for printers. */
export function toReport(report: ComparisonReport): Report {
  const { comparison, subject, expected, expectation } = report
  const { other, same, open, hidden } = groupSettings(report)
  const { unexplained, requests, left, notes, ended } = comparison
  return {
    title: `Compared: ${subject}`,
    intro: introOf(report),
    sections: [
      section(`Other than ${expectation}`, other, (group) => [settingsTable(group, expected)]),
      section('What no value explains', unexplained, (group) => [unexplainedTable(group)]),
      section('Open', open, (group) => [openTable(group)]),
      section(`As ${expectation}`, same, (group) => [settingsTable(group, expected)]),
      section('Not shown', hidden, (group) => [openTable(group)]),
    ].flat(),
    json: {
      ...{ requests, compared: comparison.compared, explained: comparison.explained },
      ...{ ended, left, notes },
      settings: comparison.settings.map((each) => ({ ...each, expected: expected[each.id] })),
      unexplained,
    },
    junit: {
      name: 'understudy compare',
      suites: [
        {
          name: subject,
          cases: [
            ...comparison.settings.map((each) => settingCase(each, report)),
            ...unexplained.map((each) => unexplainedCase(each, report)),
          ],
        },
      ],
    },
  }
}

function section<T>(
  title: string,
  group: readonly T[],
  toBlocks: (group: readonly T[]) => Block[],
): Section[] {
  return group.length === 0 ? [] : [{ title, blocks: toBlocks(group) }]
}

/** What a reader must know before the settings. */
function introOf({ comparison }: ComparisonReport): string[] {
  const { requests, compared, explained, settings, notes, left, ended } = comparison
  const known = settings.filter(({ value }) => value !== null).length
  return [
    `Found ${known} of ${settings.length} settings with ${formatCount(requests, 'request')}. They explain ${explained} of ${formatCount(compared, 'response')} that could be compared.`,
    ...(ended === null ? [] : [`The comparison ended early. ${ended}`]),
    ...notes,
    ...left,
  ]
}

function settingsTable(group: readonly ComparedSetting[], expected: SettingValues): Block {
  return {
    columns: ['Setting', 'Value', 'Expected', 'What it means', 'Requests that show it'],
    rows: group.map((each) => [
      each.id,
      { text: `${each.value}`, tone: each.value === expected[each.id] ? 'ok' : 'bad' },
      `${expected[each.id]} (${describeValue(each.id, expected[each.id]).evidence})`,
      `${each.question} ${each.meaning}`,
      each.shown_by.join('\n'),
    ]),
  }
}

function openTable(group: readonly ComparedSetting[]): Block {
  return {
    columns: ['Setting', 'Question', 'Why it is open'],
    rows: group.map((each) => [each.id, each.question, reasonOf(each)]),
  }
}

/** Why a value has no value, and what would decide it. */
export function reasonOf({ open, advice }: ComparedSetting): string {
  return [open, advice].filter((text) => text !== null).join(' ')
}

function unexplainedTable(group: readonly Unexplained[]): Block {
  return {
    columns: ['Part of the response', 'This service', 'A simulator', 'Requests'],
    rows: group.map(({ part, got, simulated, requests }) => [
      part,
      got,
      simulated,
      requests.join('\n'),
    ]),
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
  const { part, requests } = what
  const testCase = { name: part, classname: 'understudy.compare.unexplained' }
  if (!failOn.includes('unexplained')) return testCase
  const message = `No value explains it: ${describeUnexplained(what)}.`
  const text = requests.join('\n')
  return { ...testCase, problem: { kind: 'failure', message, type: 'unexplained', text } }
}

function describeUnexplained({ part, got, simulated }: Unexplained): string {
  return `${part} is ${got}, and ${simulated} in a simulator`
}

/** Colours a text by what it means. */
type PaintText = (
  tone: 'good' | 'bad' | 'warning' | 'name' | 'faint' | 'strong',
  text: string,
) => string

/** Formats a comparison for a terminal. */
export function formatComparison(report: ComparisonReport, paint: PaintText): string {
  const { comparison, expected, expectation } = report
  const { other, same, open, hidden } = groupSettings(report)
  const heading = (text: string): string => `\n${paint('strong', text)}`
  const lines = introOf(report)
  if (other.length > 0) lines.push(heading(`Other than ${expectation}`))
  for (const each of other) {
    const { id, value, meaning, shown_by } = each
    const { evidence } = describeValue(id, expected[id])
    lines.push(
      `${paint('name', id)} is ${paint('warning', `${value}`)}, not ${expected[id]} (${evidence}). ${meaning}`,
      ...listRequests(shown_by, paint),
    )
  }
  if (comparison.unexplained.length > 0) lines.push(heading('What no value explains'))
  for (const each of comparison.unexplained) {
    lines.push(`${describeUnexplained(each)}`, ...listRequests(each.requests, paint))
  }
  if (open.length > 0) lines.push(heading('Open'))
  for (const each of open) {
    lines.push(
      `${paint('name', each.id)}  ${reasonOf(each)}`,
      ...listRequests(each.shown_by, paint),
    )
  }
  if (same.length > 0) lines.push(heading(`As ${expectation}`))
  for (const { id, value, shown_by } of same) {
    const count = formatCount(shown_by.length, 'request')
    lines.push(`${paint('name', id)}  ${paint('good', `${value}`)}  ${paint('faint', count)}`)
  }
  if (hidden.length > 0) lines.push(heading('Not shown by any response'))
  for (const { id, advice } of hidden) lines.push(`${paint('name', id)}  ${advice ?? ''}`.trimEnd())
  return lines.join('\n')
}

const shownRequests = 3

function listRequests(requests: readonly string[], paint: PaintText): string[] {
  return shortList(requests, shownRequests, (rest) => `and ${rest} more`).map((line) =>
    paint('faint', `  ${line}`),
  )
}
