import { favours } from '../fit/answer-differences.ts'
import type { Fit, TriedValue } from '../fit/fit-settings.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { ComparedSetting, Explained, Use } from './comparison.ts'
import type { SettingFinding } from './conclude.ts'
import { parseKeys, usualLabels } from './keys.ts'
import { worldTraits } from './probed-world.ts'
import { describeProbe, needsRows, type Probe, probesFor, usedRows } from './probes.ts'
import { describeOutcome } from './sentences.ts'
import { differencesOf } from './signature-differences.ts'
import { type SimulatedProbe, simulateProbes } from './simulate-probes.ts'

/** What a comparison of a server sent, and could send. */
interface SentProbes {
  /** The labels of its keys */
  readonly labels: readonly string[]
  readonly allowsWrites: boolean
  /** The outcome of each request that the comparison could send with these keys, by the text of the request */
  readonly outcomes: ReadonlyMap<string, ProbeOutcome>
}

/** The outcome of a probe. */
interface ProbeOutcome {
  /** Null if it was not sent, or got no response */
  readonly status: number | null
  readonly use: Use
}

/** Another limit than any service is likely to have by default. */
const usualLimit = 7

/**
 * Says what each value is, or why it stays open, and what would decide it.
 *
 * @param doubt why a value cannot be told from others although answers differ
 * @param nameOf names a request by its index
 * @param sent null for traffic, which is as it is
 * @param onSent called for each request that a simulator gets
 */
export async function toVerdicts(
  findings: readonly SettingFinding[],
  { settings, world }: Fit,
  doubt: (finding: SettingFinding) => Explained | null,
  nameOf: (at: number) => string,
  sent: SentProbes | null,
  onSent?: () => void,
): Promise<ComparedSetting[]> {
  const openOf = new Map(
    findings.map((finding) => [finding, openReason(finding) ?? doubt(finding)]),
  )
  const undecided = findings.filter((finding) => isUndecided(openOf.get(finding)))
  const adviser = createAdviser({ settings, world }, findings, undecided, sent, onSent)
  const toVerdict = async (finding: SettingFinding): Promise<ComparedSetting> => {
    const { id, best, by, or } = finding
    const open = openOf.get(finding) ?? null
    return {
      ...{ id, value: open === null ? best : null },
      shown_by: open?.word === 'not_shown' ? [] : [...new Set(by.map(nameOf))],
      ...{ or, open },
      advice: isUndecided(open) ? await adviser(finding) : null,
    }
  }
  const verdicts: ComparedSetting[] = []
  for (const finding of findings) verdicts.push(await toVerdict(finding))
  return verdicts
}

/** Whether a request could decide a value that stays open. */
function isUndecided(open: Explained | null | undefined): boolean {
  return open?.word === 'not_shown' || open?.word === 'several_fit'
}

function openReason(finding: SettingFinding): Explained | null {
  const { by, isDenied, or, untested, best, further, lacking } = finding
  const isNearest = by.length > 0 && or.length === 0 && untested.length === 0
  if (isDenied || (further.length > 0 && !isNearest)) return noneFits
  if (further.length > 0) {
    const names = `field${further.length > 1 ? 's' : ''} ${listOf(further)}`
    const lack = lacking.length > 0 ? `, and lack ${listOf(lacking)}` : ''
    const sentence = `No value fits: ${best} is the nearest, but rows have the further ${names}${lack}.`
    return { word: 'further_fields', sentence }
  }
  // Of whole numbers only some are tried: if two fit, so do others.
  const isAnyNumber = or.length > 0 && typeof best === 'number'
  // What would show the value has another status than with any of them.
  const isHidden = or.length === 0 && untested.length > 0
  if (by.length === 0 || isAnyNumber || isHidden)
    return { word: 'not_shown', sentence: 'No response shows it.' }
  if (or.length === 0) return null
  const values = [best, ...or]
  const fit = `${listOf(values)} ${values.length > 1 ? 'fit' : 'fits'}`
  const rest = `, and ${listOf(untested)} ${untested.length > 1 ? 'are' : 'is'} not tested`
  return { word: 'several_fit', sentence: `${fit}${untested.length > 0 ? rest : ''}.` }
}

/** All values are denied. */
export const noneFits: Explained = {
  word: 'none_fits',
  sentence: 'The answers fit none of its values.',
}

function listOf(values: readonly TriedValue[]): string {
  return new Intl.ListFormat('en-GB').format(values.map(String))
}

/**
 * Creates a function that says what would decide a value: it simulates all probes. The best value of a setting whose values
 * are all denied can hide other settings, so its other values are simulated, too.
 *
 * @param undecided those that it is asked for
 */
function createAdviser(
  { settings, world }: Pick<Fit, 'settings' | 'world'>,
  findings: readonly SettingFinding[],
  undecided: readonly SettingFinding[],
  sent: SentProbes | null,
  onSent: (() => void) | undefined,
): (finding: SettingFinding) => Promise<Explained> {
  const labels = [...new Set([...(sent?.labels ?? []), ...usualLabels])]
  const keys = parseKeys(Object.fromEntries(labels.map((label, at) => [label, `key-${at}`])))
  const probes = probesFor(keys.map(({ label }) => label))
  const traits = Object.fromEntries(
    Object.entries(worldTraits).map(([name, [some]]) => [name, some]),
  )
  const denied = findings.flatMap(({ id, or, isDenied }) =>
    isDenied ? or.map((value) => ({ [id]: value })) : [],
  )
  const trials = [{}, ...denied].map((changed) => ({
    settings: { ...resolveSettings(), ...settings, ...changed },
    world: { ...traits, ...world },
  }))
  const asked = new Set(undecided.map(({ id }) => id))
  const simulated: SimulatedProbe[][] = []
  return async (finding) => {
    for (const [at, trial] of trials.entries()) {
      simulated[at] ??= await simulateProbes(probes, keys, trial, [usualLimit], onSent, asked)
      const advice = adviseBy(simulated[at], finding)
      if (advice) return advice
    }
    const sentence = 'With the values that were found, no request of a comparison shows it.'
    return { word: 'none', sentence }
  }

  function adviseBy(
    simulated: readonly SimulatedProbe[],
    { id, or, untested }: SettingFinding,
  ): Explained | null {
    const others = [...or, ...untested]
    const showing = probes.filter((_, at) => {
      const { signature, withOthers } = simulated[at] as (typeof simulated)[number]
      return [...(withOthers.get(id) ?? [])].some(
        ([value, changed]) =>
          (others.length === 0 || others.includes(value) || typeof value === 'number') &&
          signature &&
          changed &&
          favours(new Map(), differencesOf(signature, changed)),
      )
    })
    const [easiest] = showing
    if (!easiest) return null
    if (sent === null) return { word: 'record', sentence: `${describeProbe(easiest)} may show it.` }
    const isSent = ({ key }: Probe): boolean => key !== null && sent.labels.includes(key)
    const requestOf = (probe: Probe): string => describeProbe({ ...probe, key: null })
    const tried = new Set(showing.filter(isSent).map(requestOf))
    // Another key shows nothing that the same request with a key of the comparison does not show.
    const useful = showing.filter((probe) => isSent(probe) || !tried.has(requestOf(probe)))
    const advice = useful.map((probe) => adviseProbe(probe, probes, sent))
    return advice.sort((a, b) => a.rank - b.rank)[0] as Advice
  }
}

/** What would decide a value. */
interface Advice extends Explained {
  /** Less for what is easier to do, and then for what says more about the server */
  readonly rank: number
}

function adviseProbe(probe: Probe, probes: readonly Probe[], sent: SentProbes): Advice {
  const request = describeProbe(probe)
  const { key } = probe
  const isOfKey = key === null || key === 'wrong' || sent.labels.includes(key)
  const needs = [
    ...(isOfKey ? [] : [`--key ${key}=KEY`]),
    ...(needsRows(probe) && !sent.allowsWrites ? ['--allow-writes'] : []),
  ]
  if (needs.length > 0) return toPass(needs, request)
  const { why, got = null } = sent.outcomes.get(request)?.use ?? { why: 'not_sent' }
  if (why !== 'not_sent') {
    const word = why === 'usable' ? 'undecided' : why
    const subject = why === 'usable' ? 'The response to ' : ''
    const rank = usesByRank.indexOf(why)
    const sentence = `${subject}${request} ${describeOutcome({ why, got })}`
    return { word, sentence, rank: 10 + (rank < 0 ? usesByRank.length : rank) }
  }
  if (probe.path.includes(':other'))
    return toPass(['a key whose user belongs to two organizations'], request)
  const [name] = usedRows(probe)
  const creator = name && probes.find(({ save }) => save === name)
  const after = creator && describeProbe(creator)
  const made = sent.outcomes.get(after ?? '')?.status ?? null
  // A row that was made can be gone: the server removed it with another request.
  const isMade = made !== null && made < 300
  const cause =
    after && !isMade
      ? `${after} ${made === null ? 'got no response' : `returned ${made}`}`
      : 'the server did not show the row that it is about'
  return { word: 'not_sent', sentence: `${request} was not sent, because ${cause}.`, rank: 10 }
}

/** Fewer flags are easier to pass. */
function toPass(needs: readonly string[], request: string): Advice {
  const sentence = `It needs ${needs.join(' and ')}: ${request} may show it.`
  return { word: 'pass', sentence, rank: needs.length }
}

const usesByRank: readonly Use['why'][] = [
  'not_sent',
  'too_large',
  'no_response',
  'unstable',
  'failure',
  'other_form',
  'unbelieved',
  'missing',
  'other_rows',
]
