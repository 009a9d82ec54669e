import {
  type Dependence,
  type DependenceKind,
  dependenceKinds,
  failureOf,
  type SweptCommand,
  toFinding,
} from '../../analysis/variants/dependences.ts'
import type { Baseline, VariantOutcome } from '../../analysis/variants/sweep.ts'
import { whyUntested } from '../../analysis/variants/untested.ts'
import {
  describeValue,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../../settings/setting.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import {
  type Cell,
  type Finding,
  formatFinding,
  type PageFinding,
  type Report,
  type TestCase,
} from '../../utils/reports/report.ts'
import { formatCount } from '../output.ts'

/** What a sweep found out. */
interface SweepResult extends SweptCommand {
  readonly baseline: Baseline
  readonly settings: SettingValues
  readonly outcomes: readonly VariantOutcome[]
  readonly dependences: readonly Dependence[]
  readonly isInterrupted: boolean
  /** Further lines, such as fields of which no variant was noticed */
  readonly notes: readonly string[]
}

export const sweepExtensions: readonly Extension[] = ['json', 'xml', 'html']

/** Converts the result of a sweep for printers. */
export function toReport(result: SweepResult): Report {
  const { command, baseline, outcomes, dependences, notes } = result
  const [columns = [], ...rows] = tableRows(result)
  const findings = dependences.map((dependence) => toFinding(dependence, result))
  const articles = dependences.map((each, index) =>
    toArticle(each, findings[index] as Finding, result),
  )
  const list = (lines: readonly string[]) => [{ items: lines.map((text) => ({ text })) }]
  return {
    title: `Sweep: ${command}`,
    intro: [summarize(result)],
    counts: [
      ...countKinds(dependences).map(([kind, value]) => ({
        text: `${kind} dependences`,
        value,
        tone: tones[kind],
      })),
      { text: 'other services tried', value: outcomes.length },
      { text: 'settings that the simulator read', value: baseline.trace.consulted.length },
    ],
    sections: [
      ...(articles.length > 0 ? [{ title: 'What the client needs', blocks: articles }] : []),
      ...(rows.length > 0
        ? [{ title: 'Settings', blocks: [{ columns, rows }, { paragraph: leftOut }] }]
        : []),
      ...(notes.length > 0 ? [{ title: 'Notes', blocks: list(notes) }] : []),
    ],
    json: toJson(result),
    text: formatSweep(result),
    junit: {
      name: 'understudy',
      suites: [{ name: 'understudy sweep', cases: toCases(result) }],
    },
  }
}

/** A dependence on a page: the values that were tried, the tests that fail, and how to see it. */
function toArticle(
  { on, kind, breaks }: Dependence,
  { message, cure, command }: Finding,
  { outcomes, settings }: SweepResult,
): PageFinding {
  const id = on as SettingId
  const isSetting = Object.hasOwn(settingsById, on)
  const tried = isSetting ? outcomes.filter(({ variant }) => isValueOf(id, variant.id)) : breaks
  const rows = tried.map(({ variant, outcome, run }) => [
    isSetting ? variant.id.slice(on.length + 1) : variant.id,
    variant.sentence,
    { text: variant.evidence, tone: variant.evidence },
    variant.source,
    outcome === 'failed'
      ? { text: failureOf(run), tone: 'bad' as const }
      : outcome.replace('_', ' '),
  ])
  const unchanged = isSetting ? [describeSetting(id, settings[id])] : []
  const tests = [...new Set(breaks.flatMap(({ run }) => run.failedTests ?? []))]
  return {
    finding: message,
    label: { text: kind, tone: tones[kind] },
    blocks: [
      {
        columns: ['Value', 'What the service does', 'Evidence', 'Source', 'The client'],
        rows: [...unchanged, ...rows],
      },
      ...(tests.length > 0
        ? [{ paragraph: 'Tests that fail:' }, { items: tests.map((text) => ({ text })) }]
        : []),
      ...(cure === undefined ? [] : [{ paragraph: cure }]),
      ...(command === undefined ? [] : [{ paragraph: 'To see it fail:' }, { command }]),
    ],
  }
}

/** The row of the value that the service has without a change. */
function describeSetting(id: SettingId, value: string | number): Cell[] {
  const { meaning, evidence, source } = describeValue(id, value)
  return [String(value), meaning, { text: evidence, tone: evidence }, source, 'passed']
}

const tones = {
  documented: 'documented',
  observed: 'observed',
  assumed: 'assumed',
  contradicted: 'bad',
} as const

function toJson({ command, baseline, settings, ...report }: SweepResult): object {
  const { trace } = baseline
  return {
    command,
    interrupted: report.isInterrupted,
    requests: trace.requests,
    settings: Object.fromEntries(trace.consulted.map((id) => [id, settings[id]])),
    dependences: report.dependences.map(({ breaks, ...dependence }) => ({
      ...dependence,
      breaks_with: breaks.map(({ variant }) => variant.id),
    })),
    runs: report.outcomes.map(({ variant: { id, sentence, evidence, source }, outcome, run }) => ({
      ...{ id, sentence, evidence, source, outcome, failure: run.failure },
      ...{ failed_tests: run.failedTests, ms: run.ms },
    })),
    notes: report.notes,
  }
}

/** Formats the result as lines of text: a table, each dependence with its evidence, and a summary. */
function formatSweep(report: SweepResult): string {
  const { dependences, notes } = report
  const rows = tableRows(report)
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const details = dependences.map((one) => formatFinding(toFinding(one, report)).join('\n'))
  const parts = [
    ...(rows.length > 1 ? [[...table, leftOut].join('\n')] : []),
    ...details,
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    summarize(report),
  ]
  return parts.join('\n\n')
}

const leftOut =
  'Not listed: settings that the simulator did not read, and those of which no other value was tried.'

/** Names the services with which a command both failed and passed. */
export function flakyNotes(outcomes: readonly VariantOutcome[]): string[] {
  return outcomes
    .filter(({ outcome }) => outcome === 'flaky')
    .map(
      ({ variant: { id } }) =>
        `The command both failed and passed with \`${id}\`, so this service is not blamed.`,
    )
}

/** Names the services with which a command failed when the sweep was interrupted. */
export function unconfirmedNotes(outcomes: readonly VariantOutcome[]): string[] {
  return outcomes
    .filter(({ outcome }) => outcome === 'not_confirmed')
    .map(
      ({ variant, run }) =>
        `Not confirmed: ${failureOf(run)} with \`${variant.id}\`. The sweep was interrupted before further runs.`,
    )
}

/** A row for each setting with the values that were tried, then one for each other variant that failed. */
function tableRows({ baseline, outcomes, settings }: SweepResult): string[][] {
  const rows = baseline.trace.consulted.flatMap((id) => {
    const tried = outcomes.filter(({ variant }) => isValueOf(id, variant.id))
    const values = (wanted: VariantOutcome['outcome']): string =>
      tried
        .filter(({ outcome }) => outcome === wanted)
        .map(({ variant }) => variant.id.slice(id.length + 1))
        .join(', ') || '-'
    const { evidence } = describeValue(id, settings[id])
    const seen = tried.find(
      ({ outcome, variant }) => outcome === 'failed' && variant.evidence === 'observed',
    )
    const doubt =
      seen && evidence !== 'observed' ? ` (seen: ${seen.variant.id.slice(id.length + 1)})` : ''
    const untested = values('not_tested')
    const why = untested === '-' ? '-' : `${untested} (${whyUntested(id, baseline.trace)})`
    const cells = [id, String(settings[id]), `${evidence}${doubt}`]
    return tried.length === 0 ? [] : [[...cells, values('failed'), values('passed'), why]]
  })
  return [['Setting', 'Value', 'Evidence', 'Breaks with', 'Passes with', 'Not tested'], ...rows]
}

function isValueOf(id: SettingId, variantId: string): boolean {
  return variantId.startsWith(`${id}=`)
}

function countKinds(dependences: readonly Dependence[]): (readonly [DependenceKind, number])[] {
  return dependenceKinds.flatMap((kind) => {
    const count = dependences.filter((dependence) => dependence.kind === kind).length
    return count === 0 ? [] : [[kind, count] as const]
  })
}

function summarize({ outcomes, dependences, isInterrupted, baseline }: SweepResult): string {
  const kinds = countKinds(dependences).map(([kind, count]) => `${count} ${kind}`)
  const unconfirmed = unconfirmedNotes(outcomes).length
  const found =
    dependences.length === 0
      ? unconfirmed === 0
        ? 'nothing breaks the command'
        : `${formatCount(unconfirmed, 'failure')} that no further run confirmed`
      : `${formatCount(dependences.length, 'dependence')} (${kinds.join(', ')})`
  const read = `The simulator read ${baseline.trace.consulted.length} of ${settingIds.length} settings`
  const untested = outcomes.filter(({ outcome }) => outcome === 'not_tested').length
  const silent = untested === 0 ? '' : `, ${untested} of them without a result`
  return `${isInterrupted ? 'Interrupted. ' : ''}${read}. ${formatCount(outcomes.length, 'other service')} tried${silent}: ${found}.`
}

function toCases({ command, outcomes }: SweepResult): TestCase[] {
  return outcomes.map(({ variant, outcome, run }) => {
    const text = [variant.sentence, ...(run.failedTests ?? [])].join('\n')
    const problem = { message: `${failureOf(run)} with ${variant.id}`, text }
    return {
      name: variant.id,
      classname: command,
      ms: run.ms,
      ...(outcome === 'failed' && { problem: { kind: 'failure', ...problem } }),
      ...(outcome === 'flaky' && { problem: { kind: 'skipped', ...problem } }),
      ...(outcome === 'not_confirmed' && {
        problem: { kind: 'skipped', message: `not confirmed: ${problem.message}`, text },
      }),
      ...(outcome === 'not_tested' && {
        problem: {
          kind: 'skipped',
          message: `not tested: ${variant.id} ${run.failure ? 'changes a value that the client names' : 'changed no response'}`,
          text,
        },
      }),
    }
  })
}

/** Reports why a command could not be swept, in a sentence. */
export function toProblemReport(
  command: string,
  verdict: Baseline['verdict'],
  problem: string,
): Report {
  const [message = ''] = problem.split('\n', 1)
  const error = { kind: 'error', message, text: problem } as const
  const cases = [{ name: 'without a change', classname: command, problem: error }]
  return {
    title: `Sweep: ${command}`,
    counts: [{ text: 'other services tried', value: 0 }],
    sections: [{ title: 'Not swept', blocks: [{ lines: [problem] }] }],
    json: { command, verdict, problem },
    junit: { name: 'understudy', suites: [{ name: 'understudy sweep', cases }] },
  }
}

/** Says why a command cannot be swept. @param jobs how many runs happened at once */
export function describeProblem({ verdict, runs, trace }: Baseline, jobs: number): string {
  const failures = runs.filter(({ failure }) => failure !== null)
  const [failed] = failures
  const output = failed?.output ? `\nThe end of its output:\n${failed.output.trimEnd()}` : ''
  const hint = jobs > 1 ? ' Runs happened at once: if they disturb each other, add --jobs 1.' : ''
  const { failure } = failed ?? {}
  if (verdict === 'interrupted') return 'Interrupted before the command had run twice.'
  if (verdict === 'no_requests') return `No setting can matter, because ${noRequests}`
  const reasons = {
    failing: `: without a change, ${failure} in both of two runs.`,
    flaky: `, because the command is flaky: without a change, ${failure} in ${failures.length} of ${runs.length} runs.`,
    changed: `: without a change, the command passed at first, and since then ${failure}. It may depend on the time of day, or on what its runs leave behind.`,
    steady: '.',
  }
  const silent = trace.requests === 0 ? ` Also, ${noRequests}` : ''
  return `No setting can be blamed${reasons[verdict]}${silent}${hint}${output}`
}

const noRequests =
  'the command sent no request to UNDERSTUDY_URL. If its tests have simulators of their own, use the reporter understudy-api/vitest/sweep, or sweep() of understudy-api/node.'
