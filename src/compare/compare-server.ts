import { type Differences, isExplained, type PartialAnswers } from '../fit/answer-differences.ts'
import { type ComparedAnswer, fitSettings } from '../fit/fit-settings.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import { checkServerUrl } from '../utils/network.ts'
import { formatCount } from '../utils/text.ts'
import { Clock } from '../world/clock/clock.ts'
import type { Comparison, Use } from './comparison.ts'
import { conclude } from './conclude.ts'
import { parseKeys, usualLabels } from './keys.ts'
import { type ObserveOptions, observeServer } from './observe-server.ts'
import { ProbedAnswers, simulateProbes } from './probed-answers.ts'
import { describeProbe, type Probe } from './probes.ts'

/** What the answers of a server are compared with. */
interface ExplainOptions {
  /** The values that the server is expected to have, where its responses show none */
  readonly expected?: SettingValues
  /** Sends the probes to a simulator */
  readonly simulate?: typeof simulateProbes
}

interface TargetOptions
  extends Omit<
    ObserveOptions & ExplainOptions,
    'url' | 'keys' | 'send' | 'marker' | 'allowWrites'
  > {
  readonly target: string
  /** The keys of the server, whose labels say their scopes */
  readonly key?: KeyValues
  readonly allowWrites?: boolean
}

/**
 * Compares a server by requests over HTTP.
 *
 * @param follow waits, and says how far the comparison is
 * @throws UsageError for an invalid URL or label, and if the server refuses the keys
 */
export function compareTarget(
  { target: url, key: { keys = {} } = {}, allowWrites = false, ...options }: TargetOptions,
  follow: (describe: () => string, work: Promise<Comparison>) => Promise<Comparison>,
): Promise<Comparison> {
  checkServerUrl(url, 'compare', 'target')
  let [sent, simulated] = [0, 0]
  const describe = () =>
    simulated === 0
      ? `${sent} of at most ${formatCount(options.maxRequests, 'request')} sent`
      : `${formatCount(simulated, 'request')} sent to simulators`
  const work = compareServer({
    ...{ ...options, url, keys: parseKeys(keys), allowWrites },
    send: (url, init) => {
      sent += 1
      return fetch(url, init)
    },
    simulate: (probes, ...trial) => {
      simulated += probes.length
      return simulateProbes(probes, ...trial)
    },
    // Differs between comparisons, and is a word that a search finds.
    marker: new Clock().now().toString(36),
  })
  return follow(describe, work)
}

/**
 * Finds the settings with which a simulator answers like a server. It sends the probes, each twice, and removes the
 * rows that they created, also after an interrupt.
 *
 * @throws UsageError if the server refuses the keys
 * @throws UnreachableError if the server does not respond, or is another API
 */
export async function compareServer(options: ObserveOptions & ExplainOptions): Promise<Comparison> {
  const { keys, simulate = simulateProbes, expected = resolveSettings() } = options
  const observed = await observeServer(options)
  const { probes, requests, left, ended } = observed
  const service = new ProbedAnswers(observed, keys, simulate)
  const fit = await fitSettings(service)
  const uses = service.uses(fit.answers)
  const usable = probes.flatMap((_, at) => (uses[at]?.why === 'usable' ? [at] : []))
  const { settings, unknown } = conclude(fit, usable, observed)
  // The report speaks of a simulator with the values that were found, and with the expected ones for the others.
  const others = Object.fromEntries(unknown.map((id) => [id, expected[id]]))
  const reported = { ...fit, settings: { ...fit.settings, ...others } }
  const answers = await service.compare(reported, false)
  const isOpen = settings.some(({ value }) => value === null)
  return {
    ...{ requests, left, ended, settings },
    ...reviewAnswers(answers, service.uses(answers), probes),
    notes: [comparedParts, ...(isOpen ? adviseMore(options) : [])],
  }
}

/** What a comparison could use that may show more, and this one did not, as a sentence. */
function adviseMore({ keys, allowWrites }: ObserveOptions) {
  const unused = usualLabels.filter((label) => !keys.some((key) => key.label === label))
  const more = [
    ...(allowWrites ? [] : ['--allow-writes']),
    ...unused.map((label) => `--key ${label}=KEY`),
  ]
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(more)
  return more.length === 0 ? [] : [`A comparison with ${list} may show what stays open.`]
}

const comparedParts =
  'Compared are the statuses, the fields that bodies have, whether rows keep what is sent, the hosts of links, some headers and the form of errors. Other values and the order of rows are not.'

/** Says what differs from a simulator. @param uses what can be concluded from each answer */
function reviewAnswers(
  answers: readonly ComparedAnswer[],
  uses: readonly Use[],
  probes: readonly Probe[],
): Pick<Comparison, 'compared' | 'explained' | 'unexplained' | 'not_compared'> {
  const groups = new Map<string, PartialAnswers & { readonly requests: Set<string> }>()
  const left = new Map<
    string,
    Comparison['not_compared'][number] & { readonly requests: string[] }
  >()
  let [compared, explained] = [0, 0]
  for (const [at, { why, got }] of uses.entries()) {
    const request = describeProbe(probes[at] as Probe)
    if (why !== 'usable' && why !== 'missing') {
      const name = `${why} ${got}`
      const group = left.get(name) ?? { why, got, requests: [] }
      left.set(name, group)
      group.requests.push(request)
      continue
    }
    const differences = answers[at]?.differences ?? new Map()
    compared += 1
    explained += Number(why === 'usable' && isExplained(differences))
    const missing = { part: 'status', got: `${got}`, simulated: 'a success' }
    for (const words of why === 'missing' ? [missing] : wordsOf(differences)) {
      const name = JSON.stringify(words)
      const group = groups.get(name) ?? { ...words, requests: new Set() }
      groups.set(name, group)
      group.requests.add(request)
    }
  }
  const unexplained = [...groups.values()].map((group) => {
    return { ...group, requests: [...group.requests] }
  })
  return { compared, explained, unexplained, not_compared: [...left.values()] }
}

/** What differs in one answer. All fields that only one side has are one difference. */
function wordsOf(differences: Differences) {
  const words: PartialAnswers[] = []
  const fields = new Map<string, Set<string>>()
  for (const [name, { kind, simulated, words: toWords }] of differences) {
    if (toWords === null) continue
    if (kind !== 'field' && !name.startsWith('field ')) words.push(toWords())
    else {
      fields.set(simulated, (fields.get(simulated) ?? new Set()).add(toWords().part))
    }
  }
  for (const [simulated, names] of fields) {
    const list = new Intl.ListFormat('en-GB').format(names)
    const got = simulated === 'absent' ? 'present' : 'absent'
    words.push({ part: `${names.size > 1 ? 'fields' : 'field'} ${list}`, got, simulated })
  }
  return words
}
