import type { SettingOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  otherValues,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
} from '../settings/setting.ts'
import { didYouMean, inspectValue, UsageError } from '../utils/errors.ts'
import type { Report } from '../utils/reports/report.ts'
import { formatCount } from '../utils/text.ts'
import { settingsOf } from './client-trace.ts'
import { type Baseline, type SweepClient, sweepClient, type Variant } from './sweep.ts'
import {
  type Dependence,
  findDependences,
  type SweptCommand,
  sweepToReport,
} from './sweep-report.ts'

/** A command, and which other services it is run with. */
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

/** Follows a sweep. */
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
  const describe = (): string =>
    planned === 0
      ? 'Running the command twice without a change'
      : `${tried} of ${planned} services tried`
  const onOutcome = (): void => {
    tried += 1
  }
  const work = sweepClient({ run, jobs, signal, onOutcome }, (baseline) => {
    const isRead = (id: SettingId): boolean => baseline.trace.consulted.includes(id)
    const ids = settingIds.filter((id) => isRead(id) && !kept.includes(id))
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
function describePlan(count: number, { runs }: Baseline, jobs: number): string {
  const atOnce = Math.min(jobs, count)
  const mean = runs.reduce((sum, { ms }) => sum + ms, 0) / runs.length
  const seconds = Math.ceil((mean * count) / Math.max(1, atOnce) / 1_000)
  const time = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return `Trying ${formatCount(count, 'other service')}, ${atOnce} at once: about ${time}.`
}

/** @throws UsageError with the nearest id */
function checkOnly(only: string, settings: SettingValues): void {
  const ids = settingVariants(settingIds, settings).map(({ id }) => id)
  if (ids.some((id) => id.includes(only))) return
  const near = didYouMean(only, [...settingIds, ...ids])
  const hint =
    near === undefined ? ' npx understudy-api settings lists the ids.' : ` Did you mean ${near}?`
  throw new UsageError(
    `Failed to read --only: no id of a service contains ${inspectValue(only)}.${hint}`,
  )
}

type NumericSetting = {
  [Id in SettingId]: SettingValue<Id> extends number ? Id : never
}[SettingId]

// Tests have few rows, so two rows per page stand for every page that is smaller than a list.
const pageSizes = [2, 100]

/** The values of settings of whole numbers that a sweep tries. */
const plausibleNumbers: Readonly<Record<NumericSetting, readonly number[]>> = {
  'annotations.list.limit.default': pageSizes,
  'plugins.list.limit.default': pageSizes,
  'projects.list.limit.default': pageSizes,
  // The default limit of Express, and the value of the profile `live`.
  'limits.body': [102_400, 20_971_520],
}

/** Lists each other plausible value of some settings, in the order of the settings. */
export function settingVariants(ids: Iterable<SettingId>, settings: SettingValues): Variant[] {
  const wanted = new Set(ids)
  const inOrder = settingIds.filter((id) => wanted.has(id))
  return otherValues(inOrder, settings, plausibleNumbers).map(({ id, value }) => {
    const { meaning, evidence, source } = describeValue(id, value)
    const settings: SettingOverrides = { [id]: value }
    return { id: `${id}=${value}`, on: id, sentence: meaning, evidence, source, settings }
  })
}
