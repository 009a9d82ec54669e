import { conclude, fitSettings, type SettingFinding } from '../explain/fit-settings.ts'
import { describeValue } from '../settings/setting.ts'
import {
  type ComparedSetting,
  type Comparison,
  type OpenReason,
  reviewAnswers,
} from './comparison.ts'
import { type ObserveOptions, observeServer } from './observe-server.ts'
import { highLimit, ProbedAnswers } from './probed-answers.ts'
import { describeProbe, type Probe } from './probes.ts'
import type { Received } from './sender.ts'
import { emptyForm, type Signature } from './signature.ts'
import { toVerdicts } from './verdicts.ts'

/** How a server is compared. */
interface CompareServerOptions extends ObserveOptions {
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
export async function compareServer(options: CompareServerOptions): Promise<Comparison> {
  const { keys, allowWrites, onTrial } = options
  const { probes, seen, statuses, throttled, ...observed } = await observeServer(options)
  const service = new ProbedAnswers(probes, keys, seen)
  const fit = await fitSettings(service, onTrial)
  const uses = service.uses(fit.answers)
  const usable = probes.flatMap((_, at) => (uses[at] === 'usable' ? [at] : []))
  const names = probes.map(describeProbe)
  const nameOf = (at: number): string => names[at] as string
  const findings = conclude(fit, usable).map((finding) => {
    const isDenied = finding.isDenied || isDeniedByProbe(finding)
    return { ...finding, isDenied }
  })
  const settings = await toVerdicts(
    findings,
    fit,
    (finding) => doubt(finding, probes, seen),
    nameOf,
    {
      labels: keys.map(({ label }) => label),
      allowsWrites: allowWrites,
      hasEnded: observed.ended !== null,
      outcomes: new Map(
        names.map((name, at) => [
          name,
          { status: statuses[at] ?? null, use: uses[at] ?? 'no_answer' },
        ]),
      ),
    },
  )
  return {
    ...observed,
    ...reviewAnswers(fit.answers, usable, nameOf),
    settings: settings.map((setting) => withRetryAfter(setting, throttled)),
  }

  /** Whether a request that is about a setting gets another status than with the best value. */
  function isDeniedByProbe({ id }: SettingFinding): boolean {
    return usable.some(
      (at) => probes[at]?.about === id && fit.answers[at]?.differences?.has('status') === true,
    )
  }
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

/** Why a value may be another one than it seems, although answers exclude each other one. */
function doubt(
  { id, best, by }: SettingFinding,
  probes: readonly Probe[],
  seen: readonly (Signature | null)[],
): OpenReason | null {
  const shown = by.flatMap((at) => seen[at] ?? [])
  if (typeof best === 'number') {
    const at = probes.findIndex(({ path }) => path.includes(`limit=${highLimit}`))
    const maximum = seen[at]?.parts.limit
    if (maximum === undefined) return { why: 'maximum_not_shown' }
    if (typeof maximum === 'number' && best >= maximum) return { why: 'maximum_hides', maximum }
  }
  if (id === 'errors.body') {
    const errors = seen
      .filter((signature) => signature !== null)
      .filter(({ status }) => status >= '400')
    const forms = new Set(errors.map(({ parts }) => parts.form ?? parts['form of a refusal']))
    forms.delete(emptyForm)
    if (forms.size > 1) return { why: 'several_forms' }
  }
  if (id === 'keys.places') {
    const inBody = by.filter((at) => probes[at]?.body !== undefined)
    if (inBody.length === 0) return { why: 'key_in_body' }
    if (inBody.length === by.length) return { why: 'key_in_query' }
  }
  if (id === 'headers.allow' && !shown.some(({ parts }) => parts.allow === true)) {
    const refusals = seen.filter((signature) => signature?.status === '405')
    if (!refusals.some((signature) => signature?.parts.allow === true)) {
      return { why: 'no_405', came: refusals.length > 0 }
    }
  }
  return null
}
