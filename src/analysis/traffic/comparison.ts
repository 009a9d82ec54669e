import { isSafeMethod } from '../../http/url.ts'
import {
  describeValue,
  type PolicyId,
  type PolicySettings,
  policies,
  policyIds,
} from '../../policies/policies.ts'
import { overridePolicies, toOverrides } from '../../policies/settings.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { countFieldsOfOneSide, fieldsOfOneSide } from '../../scenarios/run/differences.ts'
import { formatCount } from '../../utils/count.ts'
import { evidenceOfField, evidenceOfStatus, policyReason } from '../reasons/evidence.ts'
import type {
  Confirmation,
  Contradiction,
  DescribedValue,
  Drift,
  NotTested,
  RequestEvidence,
  ShownBy,
  Undecided,
  Unexplained,
} from './drift.ts'
import {
  type Alternative,
  ExchangeExplainer,
  type FoundValue,
  findSettings,
  hasOtherStatus,
  kindOfDifference,
  type Resolved,
  resolveFound,
  undoRefused,
} from './settings-from-traffic.ts'
import { type ReplayedRequest, TrafficReplay } from './traffic-replay.ts'
import { type Tally, TrialTally } from './trial-tally.ts'

/** How traffic is compared. */
interface DriftOptions {
  /** The settings that the traffic is compared with */
  readonly settings: PolicySettings
  /** Names a request by its number from 1. By default `request 4` */
  readonly nameOf?: (number: number) => string
  /** How many requests the searches may send */
  readonly limit?: number
}

/** Goes through traffic with the settings that explain it, and collects what each request shows. */
class Comparison {
  readonly settings: PolicySettings
  readonly #base: PolicySettings
  readonly #nameOf: (number: number) => string
  readonly #resolved: readonly Resolved[]
  readonly #unexplained = new Map<string, UnexplainedKind>()
  /** The unexplained difference of a write that others may follow from, by the resource of its operation. */
  readonly #writes = new Map<string, UnexplainedKind>()
  /** Values that only explain some requests, with the settings that explain the others. */
  readonly #others = new Map<string, FoundValue & { readonly shownBy: Shown }>()
  readonly #notSent: RequestEvidence[] = []
  readonly #requests = new Map<number, RequestEvidence>()
  readonly #used = new Map<PolicyId, number>()
  #tally: TrialTally | null = null
  #explained = 0

  constructor({ settings, nameOf }: DriftOptions, resolved: readonly Resolved[]) {
    this.#base = settings
    this.#nameOf = nameOf ?? ((number) => `request ${number}`)
    this.#resolved = resolved
    this.settings = overridePolicies(settings, toOverrides(resolved.map(({ best }) => best)))
  }

  async run(replay: TrafficReplay, limit: number): Promise<void> {
    const explainer = new ExchangeExplainer(this.#base, limit)
    const tally = new TrialTally(this.#base, limit)
    this.#tally = tally
    const known = new Set(this.#resolved.map(({ best }) => best.id))
    for (let request = await replay.next(); request; request = await replay.next()) {
      const evidence = this.#toEvidence(request)
      this.#requests.set(request.number, evidence)
      for (const id of request.consulted) this.#used.set(id, (this.#used.get(id) ?? 0) + 1)
      if (request.outcome === 'skipped') this.#notSent.push(evidence)
      else if (request.outcome === 'passed') {
        this.#explained += 1
        await tally.add(replay, request)
      } else {
        const values = await explainer.explain(replay, request, known)
        if (values.length > 0) await replay.repeat(toOverrides(values), 'once')
        else undoRefused(replay, request)
        for (const value of values) this.#addOther(value, evidence)
        if (values.length === 0) this.#addUnexplained(request, evidence)
      }
    }
  }

  finish(isCut: boolean): Drift {
    const tally = this.#tally as TrialTally
    const certain = this.#resolved.filter(({ isCertain }) => isCertain)
    const undecided = this.#resolved.filter(({ isCertain }) => !isCertain)
    const isOpen = new Set(undecided.flatMap(({ fits }) => fits.flat().map(({ id }) => id)))
    const isFound = new Set(certain.map(({ best }) => best.id))
    const shown = policyIds.filter((id) => tally.of(id).excluded.size > 0 && !isOpen.has(id))
    const confirmed = shown.filter((id) => !isFound.has(id))
    const hidden = policyIds.filter((id) => ![isFound, isOpen].some((set) => set.has(id)))
    const values = [...this.#resolved.map(({ best }) => best.id), ...confirmed]
    return {
      requests: this.#requests.size,
      explained: this.#explained,
      contradictions: certain.map((found) => this.#toContradiction(found)),
      undecided: [
        ...undecided.map((found) => this.#toUndecided(found)),
        ...[...this.#others.values()]
          .filter(({ id }) => !isFound.has(id))
          .map(({ shownBy, ...value }) => ({
            one_of: toOptions([[value], ...value.alternatives]),
            shown_by: toShownBy(shownBy),
          })),
      ],
      unexplained: [...this.#unexplained.values()].map(({ shownBy, ...kind }) => {
        return { ...kind, shown_by: toShownBy(shownBy) }
      }),
      confirmed: confirmed.map((id) => this.#toConfirmation(id)),
      not_tested: hidden.filter((id) => !confirmed.includes(id)).map((id) => this.#toNotTested(id)),
      not_sent: this.#notSent,
      assumptions: [],
      notes: [...(isCut || tally.isCut ? [cutNote] : [])],
      policies: Object.fromEntries(
        policyIds.flatMap((id) => (values.includes(id) ? [[id, this.settings[id]]] : [])),
      ),
    }
  }

  #toEvidence({ number, step, target }: ReplayedRequest): RequestEvidence {
    const { status = null, broken } = step.expect ?? {}
    const path = target ?? step.path
    return { name: this.#nameOf(number), method: step.method, path, status: broken ? 0 : status }
  }

  #addOther(value: FoundValue, evidence: RequestEvidence): void {
    const key = `${value.id}=${value.value}`
    const known = this.#others.get(key) ?? { ...value, shownBy: new Shown() }
    known.shownBy.add(evidence)
    this.#others.set(key, known)
  }

  #addUnexplained(request: ReplayedRequest, evidence: RequestEvidence): void {
    const resource = resourceOf(request)
    const write = this.#writes.get(resource)
    // One field of the service, in several operations, is one kind.
    const isOfFields = fieldsOfOneSide(request).length > 0
    const key = isOfFields ? countFieldsOfOneSide([request]).join(' ') : kindOfDifference(request)
    const known = this.#unexplained.get(key)
    if (known) {
      known.shownBy.add(evidence)
      return
    }
    const isWrite = !isSafeMethod(request.step.method)
    // A row that a field differs in is there all the same, so a status follows from another status only.
    if (write && (!hasOtherStatus(request) || (!isWrite && hasOtherStatus(write)))) {
      write.follow_ups += 1
      return
    }
    const kind = {
      operation: request.operation,
      differences: request.differences,
      documentation: documentationOf(request, this.settings),
      shownBy: new Shown(),
      follow_ups: 0,
    }
    kind.shownBy.add(evidence)
    this.#unexplained.set(key, kind)
    if (isWrite) this.#writes.set(resource, kind)
  }

  #toContradiction({ best, fits }: Resolved): Contradiction {
    const { id, value, number } = best
    const { excluded } = (this.#tally as TrialTally).of(id)
    const shown = excluded.get(this.#base[id]) ?? { numbers: [number], isCut: false }
    const others = [...this.#others.values()].filter((other) => other.id === id)
    return {
      policy: id,
      question: policies[id].question,
      expected: describe(id, this.#base[id]),
      documentation: policyReason(id, this.#base).documentation,
      observed: describe(id, value),
      or: fits.flat().flatMap((fit) => (fit.value === value ? [] : [fit.value])),
      shown_by: this.#toShownBy(shown),
      but: others.map((other) => {
        return { value: other.value, shown_by: toShownBy(other.shownBy) }
      }),
    }
  }

  #toUndecided({ best, fits }: Resolved): Undecided {
    return {
      one_of: toOptions(fits),
      shown_by: this.#toShownBy({ numbers: [best.number], isCut: false }),
    }
  }

  #toConfirmation(policy: PolicyId): Confirmation {
    const { excluded, fitting } = (this.#tally as TrialTally).of(policy)
    const numbers = [...new Set([...excluded.values()].flatMap((each) => each.numbers))]
    const isCut = [...excluded.values()].some((each) => each.isCut)
    return {
      policy,
      setting: describe(policy, this.settings[policy]),
      or: fitting,
      shown_by: this.#toShownBy({ numbers: numbers.sort((a, b) => a - b), isCut }),
    }
  }

  #toNotTested(policy: PolicyId): NotTested {
    const setting = this.settings[policy]
    const { evidence } = describe(policy, setting)
    const used = this.#used.get(policy) ?? 0
    const requests = formatCount(used, 'request depends', 'requests depend')
    const because =
      used === 0
        ? 'No request depends on it.'
        : `${requests} on it, and the responses are the same with each value that was tried.`
    return { policy, setting, evidence, because }
  }

  #toShownBy({ numbers, isCut }: Tally): ShownBy {
    const requests = numbers.slice(0, shownRequests).flatMap((each) => {
      const evidence = this.#requests.get(each)
      return evidence ? [evidence] : []
    })
    return { count: numbers.length, at_least: isCut, requests }
  }
}

const cutNote =
  'The traffic has too many requests to try all of them with every value: some policies that it shows may be missing.'

/** How many requests are listed as evidence. */
const shownRequests = 5

type UnexplainedKind = { follow_ups: number; readonly shownBy: Shown } & Omit<
  Unexplained,
  'shown_by' | 'follow_ups'
>

class Shown {
  count = 0
  readonly requests: RequestEvidence[] = []

  add(evidence: RequestEvidence): void {
    this.count += 1
    if (this.requests.length < shownRequests) this.requests.push(evidence)
  }
}

function toShownBy({ count, requests }: Shown): ShownBy {
  return { count, at_least: false, requests }
}

function toOptions(options: readonly Alternative[]): Undecided['one_of'] {
  return options.map((option) =>
    option.map(({ id, value }) => ({ policy: id, ...describe(id, value) })),
  )
}

function describe(id: PolicyId, value: string | number): DescribedValue {
  const { meaning, evidence, source } = describeValue(id, value)
  return { value, meaning, evidence, source }
}

function resourceOf({ operation, step }: ReplayedRequest): string {
  return /Annotation|Plugin|Project/.exec(operation ?? '')?.[0] ?? step.path
}

/** The lines of the documentation about the parts of a response that differ. */
function documentationOf(
  { operation, status, differences }: ReplayedRequest,
  settings: PolicySettings,
): string[] {
  const lines = differences.flatMap(({ where, path }) => {
    if (where === 'status' && status !== null) {
      return evidenceOfStatus(operation, status, settings)?.documentation ?? []
    }
    const name = path.slice(2).join('.')
    if (!where.startsWith('body.')) return []
    return evidenceOfField(operation, 'response', name, settings)?.documentation ?? []
  })
  return [...new Set(lines)]
}

/** How many requests each part of a comparison may send. */
const requestLimit = 100_000

/**
 * Finds which settings traffic contradicts, which it confirms, and which it does not show. Each policy that explains a
 * difference is applied to the rest of the traffic, so that follow-ups of a difference are no differences of their own.
 *
 * @param scenario its world is the one before the first request. Its own profile and policies do not count
 * @throws UsageError for a scenario or a world with issues
 * @example (await findDrift(scenario, { settings: resolvePolicies() })).contradictions[0]?.policy
 */
export async function findDrift(scenario: Scenario, options: DriftOptions): Promise<Drift> {
  const { settings: base, limit = requestLimit } = options
  const parsed = parseScenario(scenario)
  const { found, isCut } = await findSettings(parsed, base, limit)
  const resolved = await resolveFound(parsed, base, found, limit)
  const comparison = new Comparison(options, resolved)
  const replay = await TrafficReplay.open(parsed, comparison.settings)
  await comparison.run(replay, limit)
  return comparison.finish(isCut)
}
