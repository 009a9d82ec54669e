import { byEvidence, type Evidence } from '../settings/evidence.ts'
import {
  describeValue,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import { didYouMean, inspectValue, UsageError } from '../utils/errors.ts'
import { groupBy } from '../utils/latest-map.ts'
import {
  alignColumns,
  formatFinding,
  type PrintedFinding,
  type Report,
  type TestCase,
} from '../utils/reports/report.ts'
import { formatCount } from '../utils/text.ts'
import {
  type Baseline,
  type SweepClient,
  type Swept,
  settingsOf,
  settingVariants,
  sweepClient,
  type VariantOutcome,
} from './sweep.ts'

interface CommandSweep extends SweptCommand {
  readonly run: SweepClient['run']
  readonly jobs: number
  readonly signal: AbortSignal
  /** The settings of the runs without a change */
  readonly settings: SettingValues
  /** Tries only services whose id contains it */
  readonly only: string
  /** The settings that are not tried */
  readonly kept: readonly string[]
}

interface SweepView {
  /** @param describe says how far the work is */
  follow<T>(describe: () => string, work: Promise<T>): Promise<T>
  say(sentence: string): void
}

/**
 * Runs a command under every other behaviour that the service could have.
 *
 * @returns `dependences` of null for a command that cannot be swept
 * @throws UsageError if no service has an id that contains `only`
 */
export async function sweepCommand(
  sweep: CommandSweep,
  view: SweepView,
): Promise<{ readonly report: Report; readonly dependences: readonly Dependence[] | null }> {
  const { run, jobs, signal, command, flags, only, kept } = sweep
  checkOnly(only, sweep.settings)
  let [tried, planned] = [0, 0]
  const describe = () =>
    planned === 0
      ? 'Running the command twice without a change'
      : `${tried} of ${formatCount(planned, 'service')} tried`
  const onOutcome = () => {
    tried += 1
  }
  const work = sweepClient({ run, jobs, signal, onOutcome }, (baseline) => {
    const ids = baseline.trace.consulted.filter((id) => !kept.includes(id))
    const all = settingVariants(ids, settingsOf(baseline.trace, sweep.settings))
    const variants = all.filter(({ id }) => id.includes(only))
    planned = variants.length
    view.say(describePlan(planned, baseline, jobs))
    return variants
  })
  const swept = await view.follow(describe, work)
  const { baseline, outcomes } = swept
  const isSteady = baseline.verdict === 'steady'
  const settings = settingsOf(baseline.trace, sweep.settings)
  const dependences = isSteady ? findDependences(outcomes, settings) : []
  const result = { ...swept, settings, dependences, planned, jobs, isInterrupted: signal.aborted }
  const report = sweepToReport({ command, flags, ...result })
  return { report, dependences: isSteady ? dependences : null }
}

/** Says how many services are tried, and how long that takes, by the time of the runs so far. */
function describePlan(count: number, { runs }: Baseline, jobs: number) {
  if (count === 0) return 'Nothing to try: the simulator read no setting that is left.'
  const atOnce = Math.min(jobs, count)
  const mean = runs.reduce((sum, { ms }) => sum + ms, 0) / runs.length
  const seconds = Math.ceil((mean * count) / Math.max(1, atOnce) / 1_000)
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return `Trying ${formatCount(count, 'other service')}, ${atOnce} at once: about ${time}.`
}

/** @throws UsageError with the nearest id */
function checkOnly(only: string, settings: SettingValues) {
  const ids = settingVariants(settingIds, settings).map(({ id }) => id)
  if (ids.some((id) => id.includes(only))) return
  const near = didYouMean(only, [...settingIds, ...ids])
  const hint =
    near === undefined ? ' npx understudy-api settings lists the ids.' : ` Did you mean ${near}?`
  throw new UsageError(
    `Failed to read --only: no SETTING=VALUE that it tries contains ${inspectValue(only)}.${hint}`,
  )
}

interface SweepResult extends SweptCommand, Swept {
  readonly settings: SettingValues
  readonly dependences: readonly Dependence[]
  /** How many other services were to be tried */
  readonly planned: number
  /** How many runs happened at once */
  readonly jobs: number
  readonly isInterrupted: boolean
}

/** Converts the result of a sweep for printers: what the command depends on, or why it cannot be swept. */
function sweepToReport(result: SweepResult): Report {
  const { command, baseline, dependences, outcomes } = result
  const problem = describeProblem(result)
  const notes = listNotes(outcomes)
  const [columns = [], ...rows] = tableRows(result)
  const table = rows.length > 0 ? [[...alignColumns([columns, ...rows]), leftOut].join('\n')] : []
  const findings = dependences.map((dependence) => toFinding(dependence, result))
  const texts = [
    ...table,
    ...findings.map((finding) => formatFinding(finding).join('\n')),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    summarize(result),
  ]
  return {
    title: `Sweep: ${command}`,
    json:
      problem === null
        ? { ...toJson(result), notes }
        : { command, verdict: baseline.verdict, problem },
    text: problem ?? texts.join('\n\n'),
    junit: {
      name: 'understudy',
      suites: [{ name: 'understudy sweep', cases: toCases(result, problem) }],
    },
  }
}

function toJson({ command, baseline, settings, outcomes, ...report }: SweepResult): object {
  const { consulted, exchanges } = baseline.trace
  return {
    command,
    interrupted: report.isInterrupted,
    requests: exchanges.length,
    settings: Object.fromEntries(consulted.map((id) => [id, settings[id]])),
    dependences: report.dependences.map(({ breaks, ...dependence }) => ({
      ...dependence,
      breaks_with: breaks.map(({ variant }) => variant.id),
    })),
    runs: outcomes.map(({ variant: { id, sentence, evidence, source }, ...outcome }) => ({
      ...{ id, sentence, evidence, source, ...outcome },
    })),
  }
}

/** A row for each setting of which other values were tried, below the names of the columns. */
function tableRows({ baseline, outcomes, settings }: SweepResult) {
  const rows = baseline.trace.consulted.flatMap((id) => {
    const tried = outcomes.filter(({ variant }) => variant.id.startsWith(`${id}=`))
    const values = (wanted: VariantOutcome['outcome']) =>
      tried
        .filter(({ outcome }) => outcome === wanted)
        .map(({ variant }) => variant.id.slice(id.length + 1))
        .join(', ') || '-'
    const cells = [id, String(settings[id]), describeValue(id, settings[id]).evidence]
    const results = (['failed', 'passed', 'not_tested'] as const).map(values)
    return tried.length === 0 ? [] : [[...cells, ...results]]
  })
  return [['Setting', 'Value', 'Evidence', 'Breaks with', 'Passes with', 'Not tested'], ...rows]
}

const leftOut =
  'Not listed: settings that the simulator did not read, and those of which no other value was tried.'

/** What else the user should know: services with which the command failed at random, and what was not tested. */
function listNotes(outcomes: readonly VariantOutcome[]) {
  const untested = outcomes.filter(({ outcome }) => outcome === 'not_tested').length
  return [
    ...outcomes
      .filter(({ outcome }) => outcome === 'flaky')
      .map(
        ({ variant: { id } }) =>
          `The command both failed and passed with \`${id}\`, so this service is not blamed.`,
      ),
    ...(untested > 0
      ? [
          `Not tested: with ${formatCount(untested, 'value')} no response differs. Other rows, as of --world odd or --world crowded, may show a difference.`,
        ]
      : []),
  ]
}

function summarize(result: SweepResult) {
  const { outcomes, dependences, planned, isInterrupted, baseline } = result
  const kinds = dependenceKinds.flatMap((kind) => {
    const { length } = dependences.filter((dependence) => dependence.kind === kind)
    return length === 0 ? [] : [`${length} ${kind}`]
  })
  const count = formatCount(dependences.length, 'dependence')
  const tally = dependences.length > 0 ? `: ${count} (${kinds.join(', ')})` : ''
  const read = `The simulator read ${baseline.trace.consulted.length} of ${settingIds.length} settings`
  if (isInterrupted) {
    const tried = `${outcomes.length} of ${formatCount(planned, 'other service')} tried`
    return `Interrupted. ${read}. ${tried}${tally}.`
  }
  const clean = outcomes.length > 0 ? ': nothing breaks the command' : ''
  return `${read}. ${formatCount(outcomes.length, 'other service')} tried${tally || clean}.`
}

function toCases({ command, outcomes }: SweepResult, problem: string | null): TestCase[] {
  if (problem !== null) {
    const [message = ''] = problem.split('\n', 1)
    const error = { kind: 'error', message, text: problem } as const
    return [{ name: 'without a change', classname: command, problem: error }]
  }
  return outcomes.map(({ variant, outcome, failure, ms }): TestCase => {
    const name = { name: variant.id, classname: command, ms }
    if (outcome === 'passed') return name
    if (outcome === 'not_tested') {
      return { ...name, problem: { kind: 'skipped', message: 'not tested: no response differs' } }
    }
    const kind = outcome === 'failed' ? 'failure' : 'skipped'
    const message = `${failure} with ${variant.id}`
    return { ...name, problem: { kind, message, text: variant.sentence } }
  })
}

/** Why a command cannot be swept. Null if it can */
function describeProblem({ baseline, outcomes, jobs }: SweepResult): string | null {
  const { verdict, runs, trace } = baseline
  const failures = runs.filter(({ failure }) => failure !== null)
  const { failure, output } = failures[0] ?? {}
  const end = output ? `\nThe end of its output:\n${output.trimEnd()}` : ''
  const hint = jobs > 1 ? ' Runs happened at once: if they disturb each other, add --jobs 1.' : ''
  if (verdict === 'steady') return null
  if (verdict === 'interrupted') return 'Interrupted before the command had run twice.'
  if (verdict === 'no_requests') return `No setting can matter, because ${noRequests}`
  const atRandom = outcomes.filter(({ outcome }) => outcome === 'flaky').length
  const reason =
    verdict === 'failing'
      ? `: without a change, ${failure} in both of two runs.`
      : failures.length > 0
        ? `, because the command is flaky: without a change, ${failure} in ${failures.length} of ${runs.length} runs.`
        : `, because the command is flaky: it both failed and passed with ${formatCount(atRandom, 'other service')}.`
  const silent = trace.exchanges.length === 0 ? ` Also, ${noRequests}` : ''
  return `No setting can be blamed${reason}${silent}${hint}${end}`
}

const noRequests =
  'the command sent no request to UNDERSTUDY_URL, or to a simulator of understudy-api/vitest, understudy-api/playwright or withSimulator(). For createSimulator(), use createSweptSimulator() of understudy-api/node.'

/** What a client depends on. The help of `sweep` says what each kind means. */
type DependenceKind = (typeof dependenceKinds)[number]

export const dependenceKinds = ['source', 'assumed', 'contradicted'] as const

/** Something that breaks a client if it is otherwise. */
interface Dependence {
  readonly on: SettingId
  readonly kind: DependenceKind
  /** Such as `Your client depends on …: 2 tests fail with \`retrievable\`.` */
  readonly sentence: string
  /** Where the evidence for the service that the client depends on comes from */
  readonly source: string
  /** What breaks the client */
  readonly breaks: readonly VariantOutcome[]
}

/** Finds what a client depends on: one dependence for each setting. */
export function findDependences(
  outcomes: readonly VariantOutcome[],
  settings: SettingValues,
): Dependence[] {
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  return [...groupBy(failed, ({ variant }) => variant.on)].map(([on, breaks]) =>
    settingDependence(on, settings, breaks),
  )
}

function settingDependence(
  on: SettingId,
  settings: SettingValues,
  breaks: readonly VariantOutcome[],
): Dependence {
  const { evidence, source } = describeValue(on, settings[on])
  const isSeen = ({ variant }: VariantOutcome) => variant.evidence === 'source'
  const seen = evidence === 'source' ? undefined : breaks.find(isSeen)
  const shortId = ({ variant }: VariantOutcome) => variant.id.slice(on.length + 1)
  const but = seen ? `, but a version of the service's source has \`${shortId(seen)}\`` : ''
  const phrase = `${evidencePhrases[evidence]}${but}`
  const reasons = breaks.map((outcome) => `${outcome.failure} with \`${shortId(outcome)}\``)
  return {
    on,
    // Each value that is documented has only others of the service's source beside it.
    kind: seen || evidence === 'documented' ? 'contradicted' : evidence,
    sentence: `Your client depends on \`${on} = ${settings[on]}\` (${phrase}): ${reasons.join('; ')}.`,
    source,
    breaks,
  }
}

const evidencePhrases: Readonly<Record<Evidence, string>> = {
  documented: 'the documentation says so',
  source: "from the service's source, not from the documentation",
  assumed: 'an assumption',
}

/** A command, and flags of `exec` with which it runs as it did, such as `--profile live`. Both are quoted for a shell. */
interface SweptCommand {
  readonly command: string
  readonly flags: readonly string[]
}

/** What is printed of a dependence. @param swept what the command to see it runs again */
export function toFinding(
  { on, sentence, breaks }: Dependence,
  swept: SweptCommand,
): PrintedFinding {
  const sorted = breaks.toSorted((a, b) => byEvidence(b.variant, a.variant))
  const [{ variant }] = sorted as [VariantOutcome]
  const flags = [...swept.flags, `--set ${variant.id}`].join(' ')
  return {
    message: sentence,
    details: breaks.flatMap(({ variant, difference }) => [
      `${variant.id}: ${variant.sentence} (${variant.evidence}: ${variant.source})`,
      ...(difference === null ? [] : [`first response of the run that differs: ${difference}`]),
    ]),
    cure: settingCure(on, breaks),
    command: `npx understudy-api exec ${flags} -- ${swept.command}`,
  }
}

/** What to do about each value that breaks a client: as its setting says, or else the client can only expect it. */
function settingCure(on: SettingId, breaks: readonly VariantOutcome[]) {
  const { cures: byValue = {} } = settingsById[on]
  const cureOf = (value: string): string | undefined => byValue[value] ?? byValue.any
  const values = breaks.map(({ variant }) => variant.id.slice(on.length + 1))
  const others = values.filter((value) => cureOf(value) === undefined)
  const expected = others.map((value) => `\`${value}\``).join(' and ')
  const cures = new Set(values.flatMap((value) => cureOf(value) ?? []))
  if (expected !== '')
    cures.add(
      `Let the client also work with ${expected}, or set this setting: then it stays as it is.`,
    )
  return [...cures].join(' ')
}
