import { describeValue } from '../settings/setting.ts'
import type { ComparedSetting, Comparison } from './comparison.ts'
import { conclude, fitSettings, review } from './fit.ts'
import { describeFindings, describeProbe } from './further-probes.ts'
import { ProbedEvidence } from './probed.ts'
import type { Probe } from './probes.ts'
import type { Received } from './sender.ts'
import { observeTarget, type TargetOptions } from './target.ts'

/** How a server is compared. */
interface CompareTargetOptions extends TargetOptions {
  /** Called after each set of settings that was tried */
  readonly onTrial?: () => void
}

/**
 * Finds the settings with which a simulator answers like a server. It sends the probes, each twice, and removes the
 * rows that they created, also after an interrupt.
 *
 * @throws UsageError if the server refuses the keys
 * @throws UnreachableError if the server does not respond, or is another API
 */
export async function compareTarget(options: CompareTargetOptions): Promise<Comparison> {
  const { keys, allowWrites } = options
  const { probes, seen, throttled, requests, notes, left, ended } = await observeTarget(options)
  const evidence = new ProbedEvidence(probes, keys, seen)
  const best = await fitSettings(evidence, options.onTrial)
  const nameOf = (at: number): string => describeProbe(probes[at] as Probe)
  const reviewed = review(best, evidence.usable(best.answers), nameOf)
  const settings = await describeFindings(conclude(best, evidence), best, nameOf, {
    labels: keys.map(({ label }) => label),
    allowsWrites: allowWrites,
    sent: new Set(probes.flatMap((_, at) => (seen[at] ? [nameOf(at)] : []))),
  })
  const shown = settings.map((each) => withRetryAfter(each, throttled))
  return { requests, ...reviewed, settings: shown, notes, left, ended }
}

/** No probe asks for a 429. Two of them show the value if they agree. */
function withRetryAfter(setting: ComparedSetting, throttled: readonly Received[]): ComparedSetting {
  const shown = new Set(throttled.map(({ headers }) => headers.has('retry-after')))
  if (setting.id !== 'limits.retry_after' || throttled.length < 2 || shown.size > 1) return setting
  const value = shown.has(true) ? 'present' : 'absent'
  const { meaning, evidence } = describeValue(setting.id, value)
  const shown_by = [`${throttled.length} responses with the status 429`]
  return { ...setting, value, meaning, evidence, shown_by, or: [], open: null, advice: null }
}
