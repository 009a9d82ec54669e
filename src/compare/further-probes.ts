import { resolveSettings } from '../settings/resolve.ts'
import { describeValue, type SettingId, settingsById } from '../settings/setting.ts'
import type { ComparedSetting } from './comparison.ts'
import { favours } from './differences.ts'
import type { Finding, Trial } from './fit.ts'
import { parseKeys, usualLabels } from './keys.ts'
import { simulateProbes } from './probed.ts'
import { needsRows, type Probe, probesFor } from './probes.ts'
import { differencesOf } from './signature.ts'
import { worldRanges } from './world.ts'

/** What a comparison of a server could send. */
interface Means {
  /** The labels of its keys */
  readonly labels: readonly string[]
  readonly allowsWrites: boolean
  /** The requests that were sent and answered, as texts */
  readonly sent: ReadonlySet<string>
}

/**
 * Says what each value is, and what would decide those that stay open.
 *
 * @param nameOf names a request by its index
 * @param means null for traffic, which is as it is
 */
export async function describeFindings(
  findings: readonly Finding[],
  { settings, world }: Trial,
  nameOf: (at: number) => string,
  means: Means | null,
): Promise<ComparedSetting[]> {
  const labels = [...new Set([...(means?.labels ?? []), ...usualLabels])]
  const keys = parseKeys(Object.fromEntries(labels.map((label) => [label, `key-${label}`])))
  const probes = probesFor(keys.map(({ label }) => label))
  const first = Object.fromEntries(Object.entries(worldRanges).map(([id, [one]]) => [id, one]))
  const trial = { settings: { ...resolveSettings(), ...settings }, world: { ...first, ...world } }
  const simulated = await simulateProbes(probes, keys, trial, [usualLimit])
  const needsKey = ({ key }: Probe): boolean =>
    means !== null && key !== null && key !== 'wrong' && !means.labels.includes(key)
  const costOf = (probe: Probe): number => Number(needsKey(probe)) + 2 * Number(needsRows(probe))

  /** What would show a value, as a sentence. */
  function advise({ id, or }: Finding): string {
    let easiest: Probe | null = null
    for (const [at, probe] of probes.entries()) {
      const { own, others } = simulated[at] as (typeof simulated)[number]
      const shows = [...(others.get(id) ?? [])].some(
        ([value, other]) =>
          (or.length === 0 || or.includes(value)) &&
          own &&
          other &&
          favours(
            new Map(),
            differencesOf(own, other, () => false),
          ),
      )
      if (shows && (easiest === null || costOf(probe) < costOf(easiest))) easiest = probe
    }
    if (easiest === null) return 'No request of a comparison shows it.'
    const request = describeProbe(easiest)
    if (means === null) return `${request} would show it.`
    if (means.sent.has(request)) return `The response to ${request} does not decide it.`
    const needed = [
      ...(needsKey(easiest) ? [`--key ${easiest.key}=KEY`] : []),
      ...(needsRows(easiest) && !means.allowsWrites ? ['--allow-writes'] : []),
    ]
    if (needed.length > 0) return `It needs ${needed.join(' and ')}: ${request} would show it.`
    if (easiest.path.includes(':other')) {
      return `It needs a key whose user belongs to two organizations: ${request} would show it.`
    }
    return `${request} would show it, and got no response that can be trusted.`
  }

  return findings.map((finding) => {
    const { id, best, by, or, open } = finding
    const { question, documented, live } = settingsById[id]
    const described = open === null ? describeValue(id, best) : null
    const evidenceOf = (each: string | number) => describeValue(id as SettingId, each).evidence
    return {
      ...{ id, question, value: open === null ? best : null },
      meaning: described?.meaning ?? null,
      evidence: described?.evidence ?? null,
      ...{ documented, live },
      is_documented: evidenceOf(documented) === 'documented',
      is_observed: evidenceOf(live) !== 'assumed',
      shown_by: [...new Set(by.map(nameOf))],
      ...{ or, open },
      advice: open === null ? null : advise(finding),
    }
  })
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
