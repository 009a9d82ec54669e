import { describeValue } from '../../settings/setting.ts'
import { describeProbe, describeSettings } from './compared-settings.ts'
import { type ComparedSetting, type Comparison, groupUnexplained } from './comparison.ts'
import { ProbeJudge, type ProbeRun } from './probe-judge.ts'
import { ProbeScript } from './probe-script.ts'
import type { Probe } from './probes.ts'
import { Search } from './search.ts'
import type { Received } from './sender.ts'
import type { Signature } from './signature.ts'
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
  const judge = new ProbeJudge(new ProbeScript(probes, keys), seen)
  const search = new Search(judge, options.onTrial)
  const best = await search.climb()
  const usable = await judge.usable(best)
  const differing = await findUnexplained(judge, seen, usable, best)
  const nameOf = (at: number): string => describeProbe(probes[at] as Probe)
  const sent = new Set(probes.flatMap((_, at) => (seen[at] ? [nameOf(at)] : [])))
  const settings = await describeSettings(search, nameOf, {
    labels: keys.map(({ label }) => label),
    allowsWrites: allowWrites,
    wasSent: (probe) => sent.has(describeProbe(probe)),
  })
  const differs = new Set(differing.filter(({ part }) => !/^field /.test(part)).map(({ at }) => at))
  return {
    requests,
    compared: usable.length,
    explained: usable.filter((at) => !differs.has(at)).length,
    settings: settings.map((each) => withRetryAfter(each, throttled)),
    unexplained: groupUnexplained(
      differing.map(({ at, ...what }) => ({ ...what, request: nameOf(at) })),
    ),
    notes,
    left,
    ended,
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

/** What an answer has that the simulated one has not, or the other way round. */
interface Differing {
  readonly at: number
  readonly part: string
  readonly got: string
  readonly simulated: string
}

/** Names that plugins choose themselves. The files of a source are such names, too. */
const contentFields = /^field (?:config_schema|capabilities|metrics|public_jobs)\./

async function findUnexplained(
  judge: ProbeJudge,
  seen: readonly (Signature | null)[],
  usable: readonly number[],
  best: ProbeRun,
): Promise<Differing[]> {
  const all: Differing[] = []
  for (const at of usable) {
    const simulated = await judge.simulated(at, best)
    const answer = seen[at]
    if (!answer || !simulated) continue
    const { path } = judge.script.probes[at] as Probe
    const isOfContent = ({ part }: Omit<Differing, 'at'>): boolean =>
      contentFields.test(part) || (part.startsWith('field ') && path.endsWith('source/'))
    for (const what of differencesOf(answer, simulated)) {
      if (!isOfContent(what)) all.push({ at, ...what })
    }
  }
  return all
}

/** With another status, the rest of an answer differs of course. */
function differencesOf(seen: Signature, simulated: Signature): Omit<Differing, 'at'>[] {
  if (seen.status !== simulated.status) {
    return [{ part: 'status', got: seen.status, simulated: simulated.status }]
  }
  const found: Omit<Differing, 'at'>[] = []
  for (const [name, value] of Object.entries(seen.certain)) {
    const other = simulated.certain[name]
    if (other !== undefined && other !== value) {
      found.push({ part: nameOfPart(name), got: textOf(value), simulated: textOf(other) })
    }
  }
  for (const [name, isKept] of Object.entries(seen.kept)) {
    const other = simulated.kept[name]
    if (other === undefined || other === isKept) continue
    const words = (kept: boolean): string => (kept ? 'as it was sent' : 'another value')
    found.push({ part: `field ${name}`, got: words(isKept), simulated: words(other) })
  }
  for (const name of ['shape', 'allow', 'location', 'www-authenticate']) {
    const [value, other] = [seen.parts[name], simulated.parts[name]]
    if (value === undefined || other === undefined || value === other) continue
    found.push({ part: nameOfPart(name), got: textOf(value), simulated: textOf(other) })
  }
  if (seen.parts.shape !== simulated.parts.shape) return found
  for (const name of seen.fields) {
    const isNested = name.includes('.') && !simulated.fields.has(name.split('.')[0] as string)
    if (simulated.fields.has(name) || isNested) continue
    found.push({ part: `field ${name}`, got: 'present', simulated: 'absent' })
  }
  for (const name of simulated.fields) {
    const isNested = name.includes('.') && !seen.fields.has(name.split('.')[0] as string)
    const isRowOfOthers =
      name.includes('.') &&
      ![...seen.fields].some((each) => each.startsWith(`${name.split('.')[0]}.`))
    if (seen.fields.has(name) || isNested || isRowOfOthers) continue
    found.push({ part: `field ${name}`, got: 'absent', simulated: 'present' })
  }
  return found
}

function nameOfPart(name: string): string {
  if (['allow', 'location', 'www-authenticate'].includes(name)) return `header ${name}`
  return name.startsWith('lists ') ? 'rows of the list' : name === 'shape' ? 'kind of body' : name
}

function textOf(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? 'present' : 'absent') : `${value}`
}
