import { describeValue } from '../../settings/setting.ts'
import { describeProbe, describeSettings } from './compared-settings.ts'
import type { ComparedSetting, Comparison } from './comparison.ts'
import { Judge } from './judge.ts'
import { ProbedEvidence } from './probed.ts'
import type { Probe } from './probes.ts'
import { review } from './review.ts'
import { Search } from './search.ts'
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
  const judge = new Judge(new ProbedEvidence(probes, keys, seen))
  const search = new Search(judge, options.onTrial)
  const best = await search.climb()
  const nameOf = (at: number): string => describeProbe(probes[at] as Probe)
  const { followUps: _, ...reviewed } = await review(judge, best, nameOf)
  const sent = new Set(probes.flatMap((_, at) => (seen[at] ? [nameOf(at)] : [])))
  const settings = await describeSettings(search, nameOf, {
    labels: keys.map(({ label }) => label),
    allowsWrites: allowWrites,
    wasSent: (probe) => sent.has(describeProbe(probe)),
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
