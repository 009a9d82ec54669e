import { about, contradicts, type Differences, favours } from '../fit/answer-differences.ts'
import type { ComparedAnswer, Fit, TriedValue } from '../fit/fit-settings.ts'
import { type SettingId, settingIds } from '../settings/setting.ts'
import { formatCount } from '../utils/text.ts'
import type { ComparedSetting, Explained } from './comparison.ts'
import type { ObservedServer } from './observe-server.ts'
import { describeProbe, numberIn, type Probe } from './probes.ts'
import { emptyForm, type Signature, valueIn } from './signature.ts'

interface Finding {
  readonly id: SettingId
  readonly best: TriedValue
  /** The requests whose answers exclude another value, by their indexes. If all values are denied, those that deny one */
  readonly by: readonly number[]
  /** Values that fit as well */
  readonly or: readonly TriedValue[]
  /** Values that no answer shows: where they answer otherwise, the service has another status than both */
  readonly untested: readonly TriedValue[]
  /** Whether some answer denies the best value and each other one */
  readonly isDenied: boolean
}

/**
 * Says which value each setting has, or why it stays open: a value is known if some answer excludes each other one, and no
 * answer favours another one.
 *
 * @param usable the indexes of the requests from whose answers something can be concluded
 * @returns also the ids of the settings of which nothing is known
 */
export function conclude(
  { settings, answers }: Fit,
  usable: readonly number[],
  observed: ObservedServer,
): { readonly settings: ComparedSetting[]; readonly unknown: SettingId[] } {
  const { probes } = observed
  // A request that denies the setting that it is about says nothing of others.
  const denying = usable.filter((at) => {
    const { about, stays = {} } = probes[at] as Probe
    const parts = ['status', ...Object.keys(stays).map((name) => `kept ${name}`)]
    return about !== undefined && parts.some((name) => answers[at]?.differences?.has(name))
  })
  const concluding = usable.filter((at) => !denying.includes(at))
  const causes = answers.map(causesOfStatus)
  const findings = settingIds.map((id): Finding => {
    const by = denying.filter((at) => probes[at]?.about === id)
    const finding = find(id, settings[id], concluding, answers, causes)
    return by.length > 0 ? { ...finding, by, isDenied: true } : finding
  })
  const toSetting = (finding: Finding): ComparedSetting => {
    const { id, best, by, or, untested } = finding
    const open = openReason(finding, observed)
    const possible = open?.word === 'several_fit' ? [best, ...or, ...untested] : or
    const requests = by.map((at) => describeProbe(probes[at] as Probe))
    return {
      ...{ id, value: open === null ? best : null },
      shown_by: open?.word === 'not_shown' ? [] : [...new Set(requests)],
      ...{ or: possible, open },
    }
  }
  return {
    settings: findings.map((finding) => withThrottled(toSetting(finding), observed)),
    unknown: findings.filter(({ isDenied, by }) => isDenied || by.length === 0).map(({ id }) => id),
  }
}

/** @param causes the settings that decide the status of each answer */
function find(
  id: SettingId,
  best: TriedValue,
  usable: readonly number[],
  answers: readonly ComparedAnswer[],
  causes: readonly ReadonlySet<SettingId>[],
): Finding {
  const values = new Set(
    usable.flatMap((at) => [...(answers[at]?.withOthers.get(id)?.keys() ?? [])]),
  )
  const by = new Set<number>()
  const deniedBy = new Set<number>()
  const or: TriedValue[] = []
  const untested: TriedValue[] = []
  for (const value of values) {
    const pairs = usable.flatMap((at) => {
      const { differences, withOthers } = answers[at] as ComparedAnswer
      const changed = withOthers.get(id)?.get(value)
      if (!differences || !changed || isCrash(differences) || isCrash(changed)) return []
      return [{ at, differences: about(id, differences), changed: about(id, changed) }]
    })
    const excluding = pairs.filter(({ differences, changed }) => favours(differences, changed))
    const against = pairs.filter(({ at, differences, changed }) => {
      if (favours(changed, differences)) return true
      // A request that another answer shows to be allowed can be refused for something else.
      const isOfOther =
        [...(causes[at] ?? [])].some((cause) => cause !== id) ||
        (excluding.length > 0 && isRefusedOnlyBy(differences))
      return !isOfOther && contradicts(differences, changed)
    })
    const isHidden = pairs.some(
      ({ differences, changed }) => differences.has('status') && changed.has('status'),
    )
    if (excluding.length === 0 || against.length > 0) (isHidden ? untested : or).push(value)
    for (const { at } of excluding) by.add(at)
    for (const { at } of against) deniedBy.add(at)
  }
  const isDenied = deniedBy.size > 0
  const showing = [...(isDenied ? deniedBy : by)].sort((a, b) => a - b)
  return { id, best, by: showing, or, untested, isDenied }
}

/** Where a simulator crashes as the live service does, and the service does not, it is only healthier. */
function isCrash(differences: Differences) {
  return /^5/.test(differences.get('status')?.simulated ?? '')
}

/** Whether a service refuses what a simulator accepts. */
function isRefusedOnlyBy(differences: Differences) {
  return /^"?2/.test(differences.get('status')?.simulated ?? '')
}

/** The settings of which another value has the status of the service. None if the best one has it */
function causesOfStatus({ differences, withOthers }: ComparedAnswer): ReadonlySet<SettingId> {
  if (!differences?.has('status')) return new Set()
  const causes = [...withOthers].filter(([, byValue]) =>
    [...byValue.values()].some((changed) => !changed.has('status')),
  )
  return new Set(causes.map(([id]) => id))
}

const noneFits: Explained = { word: 'none_fits', sentence: 'The answers fit none of its values.' }

const notShown: Explained = { word: 'not_shown', sentence: 'No response shows it.' }

/** Why a value stays open. Null for one that is known */
function openReason(finding: Finding, observed: ObservedServer): Explained | null {
  const { id, by, isDenied, or, untested, best } = finding
  if (id === 'errors.body' && hasSeveralForms(observed))
    return { word: 'several_forms', sentence: 'The errors of the server have several forms.' }
  if (isDenied) return noneFits
  // Of whole numbers only some are tried: if two fit, so do others.
  const isAnyNumber = or.length > 0 && typeof best === 'number'
  // What would show the value has another status than with any of them.
  const isHidden = or.length === 0 && untested.length > 0
  if (by.length === 0 || isAnyNumber || isHidden) return notShown
  if (or.length === 0) return doubt(finding, observed)
  const values = [best, ...or]
  const fit = `${listOf(values)} ${values.length > 1 ? 'fit' : 'fits'}`
  const rest = `, and ${listOf(untested)} ${untested.length > 1 ? 'are' : 'is'} not tested`
  return { word: 'several_fit', sentence: `${fit}${untested.length > 0 ? rest : ''}.` }
}

function hasSeveralForms({ seen }: ObservedServer) {
  const forms = seen.flatMap(
    (signature) => valueIn(signature, 'form') ?? valueIn(signature, 'form of a refusal') ?? [],
  )
  return new Set(forms.filter((form) => form !== emptyForm)).size > 1
}

/** Why a value may be another one than it seems, although answers exclude each other one. */
function doubt({ id, best, by }: Finding, { probes, seen }: ObservedServer): Explained | null {
  if (typeof best === 'number') {
    const asked = seen.filter((_, at) => numberIn(probes[at] as Probe, 'limit') > best)
    const maximum = asked.map((signature) => valueIn(signature, 'limit')).find((limit) => limit)
    // Where a limit that is too large is refused, no maximum replaces another one.
    if (maximum === undefined && asked.some((signature) => signature?.status === '400')) return null
    if (maximum === undefined) {
      const sentence = 'A maximum, which no answer shows, may hide it.'
      return { word: 'maximum_not_shown', sentence }
    }
    if (typeof maximum === 'number' && best >= maximum)
      return { word: 'maximum_hides', sentence: `The maximum, ${maximum}, hides it.` }
  }
  if (id === 'keys.places') {
    const inBody = by.filter((at) => probes[at]?.body !== undefined)
    const onlyIn = (shown: string, open: string) =>
      `Only responses to keys in the ${shown} show it. A key in the ${open} may be accepted or not.`
    if (inBody.length === 0) return { word: 'key_in_body', sentence: onlyIn('query', 'body') }
    if (inBody.length === by.length)
      return { word: 'key_in_query', sentence: onlyIn('body', 'query') }
  }
  const hasAllow = (signature: Signature | null | undefined) => valueIn(signature, 'allow') === true
  if (id === 'headers.allow' && !by.some((at) => hasAllow(seen[at]))) {
    const refusals = seen.filter((signature) => signature?.status === '405')
    const sentence =
      refusals.length > 0 ? 'No 405 has the header either.' : 'No response was a 405.'
    if (!refusals.some(hasAllow)) return { word: 'no_405', sentence }
  }
  return null
}

function listOf(values: readonly TriedValue[]) {
  return new Intl.ListFormat('en-GB').format(values.map(String))
}

/** No probe asks for a 429. Those that came show that there is a limit, and two of them Retry-After if they agree. */
function withThrottled(setting: ComparedSetting, { throttled }: ObservedServer) {
  const count = throttled.length
  const responses = formatCount(count, 'response')
  const changed = {
    ...setting,
    value: null,
    or: [],
    shown_by: [`${responses} with the status 429`],
  }
  if (setting.id === 'limits.rate' && count > 0) {
    const sentence = `The server has a limit: ${responses} had the status 429. How many requests it allows is not known.`
    return { ...changed, open: { word: 'throttled', sentence } }
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
