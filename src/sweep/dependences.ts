import type { Evidence } from '../settings/evidence.ts'
import {
  describeValue,
  type SettingId,
  type SettingValues,
  settingsById,
} from '../settings/setting.ts'
import type { Finding, FindingLevel } from '../utils/reports/report.ts'
import type { VariantOutcome } from './sweep.ts'
import type { Variant } from './variant.ts'

/**
 * What a client depends on:
 * `documented`: the documentation says it, and only assumed behaviour breaks the client;
 * `source`: the service's source does it, but the documentation does not say it;
 * `assumed`: neither the documentation nor the live service shows it;
 * `contradicted`: the service's source does otherwise, and the client breaks with that.
 */
export type DependenceKind = Evidence | 'contradicted'

export const dependenceKinds: readonly DependenceKind[] = [
  'documented',
  'source',
  'assumed',
  'contradicted',
]

/** The kinds that fail a sweep by default. */
export const failingKinds: readonly DependenceKind[] = ['source', 'assumed', 'contradicted']

/** Something that breaks a client if it is otherwise. */
export interface Dependence {
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
  const groups = new Map<SettingId, VariantOutcome[]>()
  for (const outcome of failed) {
    const { on } = outcome.variant
    groups.set(on, [...(groups.get(on) ?? []), outcome])
  }
  return [...groups].map(([on, breaks]) => settingDependence(on, settings, breaks))
}

function settingDependence(
  on: SettingId,
  settings: SettingValues,
  breaks: readonly VariantOutcome[],
): Dependence {
  const { evidence, source } = describeValue(on, settings[on])
  const seen = evidence === 'source' ? undefined : breaks.find(isFromSource)
  const shortId = ({ variant }: VariantOutcome): string => variant.id.slice(on.length + 1)
  const phrase = seen
    ? `${evidence === 'assumed' ? 'an assumption' : evidencePhrases[evidence]}, but the service's source has \`${shortId(seen)}\``
    : evidencePhrases[evidence]
  const reasons = breaks.map((outcome) => `${failureOf(outcome)} with \`${shortId(outcome)}\``)
  return {
    on,
    kind: seen ? 'contradicted' : evidence,
    sentence: `Your client depends on \`${on} = ${settings[on]}\` (${phrase}): ${reasons.join('; ')}.`,
    source,
    breaks,
  }
}

const isFromSource = ({ variant }: VariantOutcome): boolean => variant.evidence === 'source'

const evidencePhrases: Readonly<Record<Evidence, string>> = {
  documented: 'the documentation says so',
  source: "from the service's source, not from the documentation",
  assumed: 'an assumption',
}

/** @example failureOf(outcome) // 'the command fails' */
export function failureOf({ failure }: VariantOutcome): string {
  return failure ?? 'the client passes'
}

const levels: Readonly<Record<DependenceKind, FindingLevel>> = {
  documented: 'note',
  source: 'warning',
  assumed: 'warning',
  contradicted: 'error',
}

/** A command, and flags of `exec` with which it runs as it did, such as `--profile live`. Both are quoted for a shell. */
export interface SweptCommand {
  readonly command: string
  readonly flags: readonly string[]
}

/** @param swept what the cure runs again */
export function toFinding(
  { on, kind, sentence, source, breaks }: Dependence,
  swept: SweptCommand,
): Finding {
  const rank = ({ variant }: VariantOutcome): number => strongest.indexOf(variant.evidence)
  const [first] = breaks.toSorted((a, b) => rank(a) - rank(b))
  return {
    rule: on,
    level: levels[kind],
    message: sentence,
    evidence: kind,
    source,
    details: breaks.flatMap(({ variant, difference }) => [
      `${variant.id}: ${variant.sentence} (${variant.evidence}: ${variant.source})`,
      ...(difference === null ? [] : [`first response of the run that differs: ${difference}`]),
    ]),
    ...(first && {
      cure: settingCure(on, breaks),
      command: tryVariant(first.variant, swept),
    }),
  }
}

/** The best evidence first. */
const strongest: readonly Evidence[] = ['source', 'documented', 'assumed']

/** What to do about each value that breaks a client: as its setting says, or else the client can only expect it. */
function settingCure(on: SettingId, breaks: readonly VariantOutcome[]): string {
  const { cures = {} } = settingsById[on]
  const cureOf = (value: string): string | undefined => cures[value] ?? cures.any
  const values = breaks.map(({ variant }) => variant.id.slice(on.length + 1))
  const others = values.filter((value) => cureOf(value) === undefined)
  const expected = others.map((value) => `\`${value}\``).join(' and ')
  return [
    ...new Set(values.flatMap((value) => cureOf(value) ?? [])),
    ...(others.length === 0
      ? []
      : [
          `Let the client also work with ${expected}, or set this setting: then it stays as it is.`,
        ]),
  ].join(' ')
}

/** How to run a client against a variant. */
function tryVariant({ on, settings }: Variant, swept: SweptCommand): string {
  const flags = [...swept.flags, `--set ${on}=${settings[on]}`]
  return `npx understudy-api exec ${flags.join(' ')} -- ${swept.command}`
}
