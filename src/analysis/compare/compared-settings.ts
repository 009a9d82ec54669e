import { describeValue, type SettingId, settingsById } from '../../settings/setting.ts'
import type { ComparedSetting } from './comparison.ts'
import { conclude, type Finding } from './conclude.ts'
import type { Hypothesis } from './hypothesis.ts'
import { type ComparedKey, parseKeys, usualLabels } from './keys.ts'
import { ProbedEvidence } from './probed.ts'
import { needsRows, type Probe, probesFor } from './probes.ts'
import { Run } from './run.ts'
import type { Search } from './search.ts'

/** What a comparison could send. */
interface Means {
  /** The labels of its keys. Null for traffic, which is as it is */
  readonly labels: readonly string[] | null
  readonly allowsWrites: boolean
  /** Whether a request was sent and answered */
  readonly wasSent: (probe: Probe) => boolean
}

/** Says what each value is, and what would decide those that stay open. @param nameOf names a request by its index */
export async function describeSettings(
  search: Search,
  nameOf: (at: number) => string,
  means: Means,
): Promise<ComparedSetting[]> {
  const findings = await conclude(search)
  const further = new FurtherProbes(search.best.hypothesis, means)
  const settings: ComparedSetting[] = []
  for (const finding of findings) {
    const advice = finding.open === null ? null : await further.adviseOn(finding)
    settings.push(describeFinding(finding, nameOf, advice))
  }
  return settings
}

function describeFinding(
  { id, value, by, or, open }: Finding,
  nameOf: (at: number) => string,
  advice: string | null,
): ComparedSetting {
  const { question, documented, live } = settingsById[id as SettingId]
  const described = value === null ? null : describeValue(id as SettingId, value)
  const evidenceOf = (each: string | number) => describeValue(id as SettingId, each).evidence
  return {
    id: id as SettingId,
    question,
    value,
    meaning: described?.meaning ?? null,
    evidence: described?.evidence ?? null,
    documented,
    live,
    is_documented: evidenceOf(documented) === 'documented',
    is_observed: evidenceOf(live) !== 'assumed',
    shown_by: [...new Set(by.map(nameOf))],
    or,
    open,
    advice,
  }
}

/** The probes of a comparison with all kinds of keys, and with writes: one of them may show what stays open. */
class FurtherProbes {
  readonly #means: Means
  readonly #probes: readonly Probe[]
  readonly #evidence: ProbedEvidence
  readonly #best: Run

  constructor(best: Hypothesis, means: Means) {
    this.#means = means
    const labels = [...new Set([...(means.labels ?? []), ...usualLabels])]
    const keys: ComparedKey[] = parseKeys(
      Object.fromEntries(labels.map((label) => [label, `key-${label}`])),
    )
    this.#probes = probesFor(keys.map(({ label }) => label))
    this.#evidence = new ProbedEvidence(this.#probes, keys, [])
    const { script, start } = this.#evidence
    this.#best = Run.start(script, { ...start[0], ...best })
  }

  /** What would show a value, as a sentence. */
  async adviseOn({ id, best, or }: Finding): Promise<string> {
    const { values } = settingsById[id as SettingId]
    const isLimit = id.endsWith('.limit.default')
    const possible = values.integer ? (isLimit ? [usualLimit] : []) : Object.keys(values)
    const others = or.length > 0 ? or : possible
    let easiest: Probe | null = null
    for (const other of others) {
      if (other === best) continue
      const run = this.#best.with({ [id]: other })
      for (const [at, probe] of this.#probes.entries()) {
        const isEasier = easiest === null || this.#costOf(probe) < this.#costOf(easiest)
        // An answer that does not use the value differs only because an earlier one does.
        if (!isEasier || !(await this.#best.at(at)).used.has(id)) continue
        if (await this.#evidence.differ(at, this.#best, run)) easiest = probe
      }
    }
    return easiest ? this.#advise(easiest) : 'No request of a comparison shows it.'
  }

  #costOf(probe: Probe): number {
    return Number(this.#needsKey(probe)) + 2 * Number(needsRows(probe))
  }

  #needsKey({ key }: Probe): boolean {
    const { labels } = this.#means
    return labels !== null && key !== null && key !== 'wrong' && !labels.includes(key)
  }

  #advise(probe: Probe): string {
    const { labels, allowsWrites, wasSent } = this.#means
    const request = describeProbe(probe)
    if (labels === null) return `${request} would show it.`
    if (wasSent(probe)) return `The response to ${request} does not decide it.`
    const needed = [
      ...(this.#needsKey(probe) ? [`--key ${probe.key}=KEY`] : []),
      ...(needsRows(probe) && !allowsWrites ? ['--allow-writes'] : []),
    ]
    if (needed.length > 0) return `It needs ${needed.join(' and ')}: ${request} would show it.`
    if (probe.path.includes(':other')) {
      return `It needs a key whose user belongs to two organizations: ${request} would show it.`
    }
    return `${request} would show it, and got no response that can be trusted.`
  }
}

/** Another limit than any service is likely to have by default. */
const usualLimit = 7

/** A probe as people write requests: without ids, and with the label of its key. */
export function describeProbe({ key, method, path, body, raw }: Probe): string {
  const shown = path
    .replace(':project', '{project_id}')
    .replace(':org', '{organization_id}')
    .replace(':other', '{other_organization_id}')
    .replace(':missing', '{missing_id}')
    .replace(/\{\w\}/, '{id}')
    .replace('search=#', 'search=TEXT')
  const sent = raw ?? (body && JSON.stringify(body).replaceAll(' #', '').replaceAll('-#', ''))
  const by =
    key === null
      ? ' without a key'
      : key === 'wrong'
        ? ' with a wrong key'
        : key === 'all'
          ? ''
          : ` with the key ${key}`
  return `${method} ${shown}${sent && sent !== '{}' ? ` ${sent}` : ''}${by}`
}
