import { type PolicyId, policies, policyIds } from '../../policies/policies.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import { UnreachableError } from '../../scenarios/run/target.ts'
import { unreachableMessage } from '../../utils/network.ts'
import { Observer, type ObserverOptions } from './observer.ts'
import { annotationProbes } from './probes/annotations.ts'
import { extraProbes } from './probes/extras.ts'
import { keyProbes } from './probes/keys.ts'
import { pluginProbes } from './probes/plugins.ts'
import { serviceProbes } from './probes/service.ts'
import { errorForm, NoResponse, NoSuchValue, Refused, Unclear } from './requests.ts'
import { type Hidden, type Probe, type Probes, Round } from './round.ts'

/** A probe for each policy, in the order in which they run: later ones use what earlier ones found. */
export const probes: Required<Probes> = {
  ...keyProbes,
  ...serviceProbes,
  ...annotationProbes,
  ...extraProbes,
  ...pluginProbes,
} as Required<Probes>

/** What an observation found about one policy. */
export interface Finding {
  readonly id: PolicyId
  /** The value that two rounds of requests agree on. Null if the policy stays open */
  readonly value: string | number | null
  /** Why the policy is open, as a sentence. Null if a value was found */
  readonly open: string | null
  /** Set if the policy is open because the server responds in a way that no value of it has */
  readonly seen?: true
  /** The requests and their statuses, without ids, keys and contents */
  readonly evidence: readonly string[]
}

/** The result of an observation. */
export interface Observation {
  readonly findings: readonly Finding[]
  /** The values that were found, for the option `policies` of `createSimulator` */
  readonly policies: PolicyOverrides
  /** How many requests were sent, retries included */
  readonly requests: number
  /** Rows that may be left in the server, as sentences */
  readonly left: readonly string[]
  /** What the server does that no policy has, as sentences */
  readonly notes: readonly string[]
  /** Why the server shows nothing, as a sentence: it refuses the key, lacks the project, or is another API */
  readonly refused: string | null
  /** Why the observation ended early, as a sentence. Null if it ran to its end */
  readonly ended: string | null
}

/**
 * Finds the policies of a server by requests. Two rounds, which share no request, must agree on a value. Rows that it
 * creates are removed at the end, also after an interrupt.
 *
 * @throws UnreachableError if the server does not respond before the first probe
 */
export async function observeServer(options: ObserverOptions): Promise<Observation> {
  const observer = new Observer(options)
  const { sender, own } = observer
  const rounds: Rounds = [new Round(observer, 1), new Round(observer, 2)]
  const findings = new Map<PolicyId, Finding>()
  /** How many requests were sent when a value was found */
  const ends = new Map<PolicyId, number>()
  const problem = await prepare(observer, rounds).catch(toUnclear)
  if (problem instanceof NoResponse) {
    const { origin } = new URL(options.url)
    throw new UnreachableError(unreachableMessage(origin, 'no response', 'Check the server.'))
  }
  let ended: string | null = null
  let left: readonly string[] = []
  try {
    for (const [id, probe] of Object.entries(probes) as [PolicyId, Probe | Hidden][]) {
      const stopped = problem ?? sender.end
      const finding =
        stopped || 'hidden' in probe
          ? openFinding(id, 'hidden' in probe ? probe.hidden : (stopped as Unclear).reason)
          : await observePolicy(id, probe, rounds)
      findings.set(id, finding)
      if (finding.value !== null) ends.set(id, sender.count)
    }
  } finally {
    ended = sender.end?.reason ?? null
    left = await own.cleanUp()
  }
  if (ended === null && Math.max(...ends.values()) > observer.lastSuccess) {
    // A success shows that the server still worked when it showed the last value.
    const { base, baseKey: key } = rounds[0]
    await observer.request(base.list, { key, query: { limit: 1 } }, true).catch(toUnclear)
  }
  const settled = policyIds.map((id): Finding => {
    const finding = findings.get(id) as Finding
    const isAfterEnd = (ends.get(id) ?? 0) > observer.lastSuccess
    return isAfterEnd
      ? { ...finding, value: null, open: 'No request after it succeeded.' }
      : finding
  })
  const values = settled.flatMap(({ id, value }) => (value === null ? [] : [[id, value]]))
  return {
    findings: settled,
    policies: Object.fromEntries(values),
    requests: sender.count,
    left,
    notes: observer.notes,
    refused: problem instanceof Refused ? problem.reason : null,
    ended,
  }
}

type Rounds = readonly [Round, Round]

/** Finds the rows of the server, and the forms of its errors. @returns null, or why nothing can be observed */
async function prepare(observer: Observer, rounds: Rounds): Promise<null> {
  await observer.locate()
  const refusal = await rounds[0].refusalOfServer()
  if (refusal !== null) throw new Refused(refusal)
  const [{ base, baseKey: key, number: limit }] = rounds
  await observer.noteSlash(base.list, { key, query: { limit } })
  for (const round of rounds) {
    await round.page()
    for (const answer of [await round.withoutKey(), await round.missingRow()]) {
      if (answer.status >= 400) observer.errorForms.add(errorForm(answer))
    }
  }
  const open = await rounds[0].requireKeys().catch(toUnclear)
  if (open) observer.notes.push(open.reason)
  return null
}

async function observePolicy(id: PolicyId, probe: Probe, rounds: Rounds): Promise<Finding> {
  const outcomes: (string | number | Unclear)[] = []
  const evidence: string[] = []
  const open = (reason: string): Finding => ({ ...openFinding(id, reason), evidence })
  for (const round of rounds) {
    round.evidence = []
    const outcome = await probe.observe(round).catch(toOutcome)
    evidence.push(...round.evidence)
    outcomes.push(outcome)
    // The next round must agree that no value is like the response: this one may be wrong.
    if (outcome instanceof Unclear && !(outcome instanceof NoSuchValue)) return open(outcome.reason)
  }
  const unlike = outcomes.filter((outcome) => outcome instanceof NoSuchValue)
  if (unlike[0]) {
    return { ...open(unlike[0].reason), ...(unlike.length === rounds.length && { seen: true }) }
  }
  const [value, second] = outcomes as [string | number, string | number]
  if (value !== second) return open(`Two rounds of requests disagree: ${value} and ${second}.`)
  rounds[0].observer.found.set(id, value)
  if (isAllowed(id, value)) return { id, value, open: null, evidence }
  const reason = `The server shows ${value}. The policy has ${describeValues(id)} only.`
  return { ...open(reason), seen: true }
}

/** A server can send what no probe expects. Its rows must still be removed. */
function toOutcome(error: unknown): Unclear {
  if (error instanceof Unclear) return error
  return new Unclear(`The probe cannot read a response (${(error as Error).name}).`)
}

function describeValues(id: PolicyId): string {
  const { integer, ...named } = policies[id].values
  if (integer) return `the numbers from ${integer.minimum ?? 0} to ${integer.maximum}`
  return new Intl.ListFormat('en-GB').format(Object.keys(named))
}

function openFinding(id: PolicyId, open: string): Finding {
  return { id, value: null, open, evidence: [] }
}

function isAllowed(id: PolicyId, value: string | number): boolean {
  const { integer, [value]: named } = policies[id].values
  const { minimum = 0, maximum = 0 } = integer ?? {}
  return integer ? Number(value) >= minimum && Number(value) <= maximum : named !== undefined
}

/** @throws the error itself if it is a defect */
function toUnclear(error: unknown): Unclear {
  if (error instanceof Unclear) return error
  throw error
}
