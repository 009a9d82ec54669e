import { fitSettings } from '../fit/fit-settings.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import { formatCount } from '../utils/text.ts'
import {
  type ComparedSetting,
  type Comparison,
  type Explained,
  reportedTrial,
  reviewAnswers,
} from './comparison.ts'
import { conclude, type SettingFinding } from './conclude.ts'
import { usualLabels } from './keys.ts'
import { type ObserveOptions, observeServer } from './observe-server.ts'
import { ProbedAnswers } from './probed-answers.ts'
import { describeProbe, numberIn, type Probe } from './probes.ts'
import type { Received } from './sender.ts'
import { emptyForm, type Signature } from './signature.ts'
import { noneFits, toVerdicts } from './verdicts.ts'

/** How a server is compared. */
interface CompareServerOptions extends ObserveOptions {
  /** The values that the server is expected to have, where its responses show none */
  readonly expected?: SettingValues
  /** Called for each request that a simulator gets */
  readonly onSimulated?: () => void
}

/**
 * Finds the settings with which a simulator answers like a server. It sends the probes, each twice, and removes the
 * rows that they created, also after an interrupt.
 *
 * @throws UsageError if the server refuses the keys
 * @throws UnreachableError if the server does not respond, or is another API
 */
export async function compareServer(options: CompareServerOptions): Promise<Comparison> {
  const { keys, allowWrites, onSimulated, expected = resolveSettings() } = options
  const { probes, seen, unseen, throttled, ...observed } = await observeServer(options)
  const service = new ProbedAnswers(probes, keys, seen, unseen, onSimulated)
  const fit = await fitSettings(service)
  const uses = service.uses(fit.answers)
  const usable = probes.flatMap((_, at) => (uses[at]?.why === 'usable' ? [at] : []))
  const names = probes.map(describeProbe)
  const nameOf = (at: number): string => names[at] as string
  // A request that denies the setting that it is about says nothing of others.
  const denying = usable.filter((at) => {
    const { about, stays = {} } = probes[at] as Probe
    const differences = fit.answers[at]?.differences
    const parts = ['status', ...Object.keys(stays).map((name) => `kept ${name}`)]
    return about !== undefined && parts.some((name) => differences?.has(name))
  })
  const concluding = usable.filter((at) => !denying.includes(at))
  const findings = conclude(fit, concluding).map((finding) => {
    const by = denying.filter((at) => probes[at]?.about === finding.id)
    return by.length > 0 ? { ...finding, by, isDenied: true } : finding
  })
  const answers = await service.compare(reportedTrial(fit, findings, expected), false)
  const settings = toVerdicts(findings, (finding) => doubt(finding, probes, seen), nameOf)
  return {
    ...observed,
    ...reviewAnswers(answers, service.uses(answers), nameOf),
    notes: [
      ...observed.notes,
      comparedParts,
      ...(settings.some(({ value }) => value === null) ? adviseMore(keys, allowWrites) : []),
    ],
    settings: settings.map((setting) => withThrottled(setting, throttled)),
  }
}

/** What a comparison could use that may show more, and this one did not, as a sentence. */
function adviseMore(keys: ObserveOptions['keys'], allowWrites: boolean): string[] {
  const unused = usualLabels.filter((label) => !keys.some((key) => key.label === label))
  const more = [
    ...(allowWrites ? [] : ['--allow-writes']),
    ...unused.map((label) => `--key ${label}=KEY`),
  ]
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(more)
  return more.length === 0 ? [] : [`A comparison with ${list} may show what stays open.`]
}

const comparedParts =
  'Compared are the statuses, the fields that bodies have and their types, whether rows keep what is sent, the links of pages, some headers and the form of errors. Other values and the order of rows are not.'

/** No probe asks for a 429. Those that came show that there is a limit, and two of them Retry-After if they agree. */
function withThrottled(setting: ComparedSetting, throttled: readonly Received[]): ComparedSetting {
  const count = throttled.length
  const changed = {
    ...{ ...setting, value: null, or: [] },
    shown_by: [`${formatCount(count, 'response')} with the status 429`],
  }
  if (setting.id === 'limits.rate' && count > 0)
    return {
      ...changed,
      open: {
        word: 'throttled',
        sentence: `There is a limit, which no request shows: ${formatCount(count, 'response')} had the status 429.`,
      },
    }
  const shown = new Set(throttled.map(({ headers }) => waitValue(headers.get('retry-after'))))
  const [value = null] = shown
  if (setting.id !== 'limits.retry_after' || count < 2 || shown.size > 1) return setting
  return { ...changed, value, open: value === null ? noneFits : null }
}

/** The value of a setting that a header shows. Null for a date, which no value has */
function waitValue(header: string | null): 'present' | 'absent' | null {
  if (header === null) return 'absent'
  return /^\d+$/.test(header) ? 'present' : null
}

/** Why a value may be another one than it seems, although answers exclude each other one. */
function doubt(
  { id, best, by }: SettingFinding,
  probes: readonly Probe[],
  seen: readonly (Signature | null)[],
): Explained | null {
  const shown = by.flatMap((at) => seen[at] ?? [])
  if (typeof best === 'number') {
    const asked = seen.filter((_, at) => numberIn(probes[at] as Probe, 'limit') > best)
    const maximum = asked.map((signature) => signature?.parts.limit).find((limit) => limit)
    // Where a limit that is too large is refused, no maximum replaces another one.
    if (maximum === undefined && asked.some((signature) => signature?.status === '400')) return null
    if (maximum === undefined) {
      const sentence = 'A maximum, which no answer shows, may hide it.'
      return { word: 'maximum_not_shown', sentence }
    }
    if (typeof maximum === 'number' && best >= maximum)
      return { word: 'maximum_hides', sentence: `The maximum, ${maximum}, hides it.` }
  }
  if (id === 'errors.body') {
    const errors = seen
      .filter((signature) => signature !== null)
      .filter(({ status }) => status >= '400')
    const forms = new Set(errors.map(({ parts }) => parts.form ?? parts['form of a refusal']))
    forms.delete(emptyForm)
    const sentence = 'The errors of the server have several forms.'
    if (forms.size > 1) return { word: 'several_forms', sentence }
  }
  if (id === 'keys.places') {
    const inBody = by.filter((at) => probes[at]?.body !== undefined)
    const onlyIn = (shown: string, open: string): string =>
      `Only responses to keys in the ${shown} show it. A key in the ${open} may be accepted or not.`
    if (inBody.length === 0) return { word: 'key_in_body', sentence: onlyIn('query', 'body') }
    if (inBody.length === by.length)
      return { word: 'key_in_query', sentence: onlyIn('body', 'query') }
  }
  if (id === 'headers.allow' && !shown.some(({ parts }) => parts.allow === true)) {
    const refusals = seen.filter((signature) => signature?.status === '405')
    if (!refusals.some((signature) => signature?.parts.allow === true)) {
      const sentence =
        refusals.length > 0 ? 'No 405 has the header either.' : 'No response was a 405.'
      return { word: 'no_405', sentence }
    }
  }
  return null
}
