import type { Evidence, PolicyId, PolicyValue } from '../../policies/policies.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import type { Assumption } from './assumption.ts'

/** What traffic says about the settings of a simulator. */
export interface Drift {
  /** How many requests the traffic has */
  readonly requests: number
  /** How many of them the simulator answers as the traffic shows, with `policies` */
  readonly explained: number
  /** The policies that the traffic contradicts */
  readonly contradictions: readonly Contradiction[]
  /** Differences that several policies explain equally well */
  readonly undecided: readonly Undecided[]
  /** Differences that no setting explains */
  readonly unexplained: readonly Unexplained[]
  /** The settings that the traffic confirms */
  readonly confirmed: readonly Confirmation[]
  /** The policies that the traffic does not show */
  readonly not_tested: readonly NotTested[]
  /** Requests that were not sent, because they need a value of an earlier response that differs */
  readonly not_sent: readonly RequestEvidence[]
  /** The values of a derived world that the traffic does not show */
  readonly assumptions: readonly Assumption[]
  /** What was left out, in sentences */
  readonly notes: readonly string[]
  /** The values that the traffic shows, for the option `policies` of `createSimulator` */
  readonly policies: PolicyOverrides
}

/** A request of the traffic, as evidence. */
export interface RequestEvidence {
  /** Its name in the file, such as `entry 4` or `step 4` */
  readonly name: string
  readonly method: string
  /** The path and the query */
  readonly path: string
  /** The status in the traffic. 0 if the connection broke, null if the traffic does not say it */
  readonly status: number | string | null
}

/** The requests that show something. */
export interface ShownBy {
  /** How many requests show it */
  readonly count: number
  /** Whether more requests could show it than were tried */
  readonly at_least: boolean
  /** The first of them */
  readonly requests: readonly RequestEvidence[]
}

/** A setting, what it means, and why it is believed. */
export interface DescribedValue extends Pick<PolicyValue, 'meaning' | 'evidence' | 'source'> {
  readonly value: string | number
}

/** A policy whose setting the traffic contradicts. */
export interface Contradiction {
  readonly policy: PolicyId
  readonly question: string
  /** The setting that the traffic contradicts */
  readonly expected: DescribedValue
  /** The lines of the documentation that the policy is about */
  readonly documentation: readonly string[]
  /** The setting that explains the traffic */
  readonly observed: DescribedValue
  /** Other values that explain it, too */
  readonly or: readonly (string | number)[]
  readonly shown_by: ShownBy
  /** Requests that show yet another value: the traffic contradicts itself */
  readonly but: readonly { readonly value: string | number; readonly shown_by: ShownBy }[]
}

/** Differences that any one of several policies explains. */
export interface Undecided {
  /** Each alone explains them, or two policies together */
  readonly one_of: readonly (readonly (DescribedValue & { readonly policy: PolicyId })[])[]
  readonly shown_by: ShownBy
}

/** A kind of difference that no setting explains. */
export interface Unexplained {
  readonly operation: string | null
  /** Of the first request: `expected` is the traffic, `got` the simulator */
  readonly differences: readonly StepDifference[]
  /** The lines of the documentation about it */
  readonly documentation: readonly string[]
  readonly shown_by: ShownBy
  /** Later requests to the same rows that differ. They may follow from this one */
  readonly follow_ups: number
}

/** A setting that the traffic confirms: with another value, a response would have been otherwise. */
export interface Confirmation {
  readonly policy: PolicyId
  readonly setting: DescribedValue
  /** Values with which every response would have been the same */
  readonly or: readonly (string | number)[]
  readonly shown_by: ShownBy
}

/** A policy that the traffic does not show. */
export interface NotTested {
  readonly policy: PolicyId
  readonly setting: string | number
  readonly evidence: Evidence
  /** Why, in a sentence */
  readonly because: string
}
