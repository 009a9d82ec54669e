import { annotationShape } from '../../api/annotations/annotation.ts'
import { endpoints, type World } from '../../api/endpoints.ts'
import { pluginShape } from '../../api/plugins/plugin.ts'
import { projectShape } from '../../api/projects/projects.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { bodyText } from '../../http/messages.ts'
import { documentedNulls } from '../../policies/document.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Evidence } from '../../policies/policy.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import {
  findMutations,
  isSuccessWithJson,
  mutablePaths,
  responseShape,
  WrittenFields,
} from '../../sandbox/faults/mutants.ts'
import { listFields, rowShapeOf } from '../../sandbox/faults/response-fields.ts'
import { describeMutation, type MutantKind, type Mutation } from '../../sandbox/faults/rule.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { tryParseJson } from '../../utils/json.ts'
import type { Variant } from './variant.ts'

/** The mutations that would have changed a response of a run, by operation. It is plain JSON. */
export type ExercisedMutants = Readonly<Record<string, readonly Mutation[]>>

/**
 * Collects the mutants that a run exercised, response by response, because the journal is bounded.
 *
 * @example simulator.journal.followRecords((record) => collector.add(record))
 */
export class MutantCollector {
  readonly #found = new Map<string, Map<string, Mutation>>()
  readonly #written = new WrittenFields()

  add(record: JournalRecord): void {
    const { operation, response, settings, target, changes } = record
    this.#written.add(changes)
    const endpoint = endpoints.find(({ id }) => id === operation)
    if (!endpoint || !isSuccessWithJson(response)) return
    const body = tryParseJson(bodyText(response.body))?.value
    const shape = responseShape(endpoint, settings)
    this.#merge(endpoint.id, [
      ...findMutations(body, shape, `http://localhost${target}`, this.#written),
      ...(['large_id', 'slow'] as const)
        .filter((kind) => mutablePaths(kind, endpoint, shape).length > 0)
        .map((kind) => ({ kind })),
    ])
  }

  /** Adds what another collector found, such as the one of another run. */
  addAll(exercised: ExercisedMutants): void {
    for (const [operation, mutations] of Object.entries(exercised)) {
      this.#merge(operation, mutations)
    }
  }

  /** The mutants so far. */
  get exercised(): ExercisedMutants {
    const entries = [...this.#found].map(([operation, found]) => [operation, [...found.values()]])
    return Object.fromEntries(entries)
  }

  #merge(operation: string, mutations: readonly Mutation[]): void {
    const found = this.#found.get(operation) ?? new Map<string, Mutation>()
    this.#found.set(operation, found)
    for (const mutation of mutations)
      found.set(`${mutation.kind} ${mutation.field ?? ''}`, mutation)
  }
}

/** A row that several operations return. */
interface MutatedRow {
  /** Such as `annotation`, or the id of the operation that a mutant is about */
  readonly name: string
  readonly shape: JsonSchema
}

const recordNames: ReadonlyMap<JsonSchema | undefined, string> = new Map<JsonSchema, string>([
  [annotationShape, 'annotation'],
  [pluginShape, 'plugin'],
  [projectShape, 'project'],
])

/**
 * Lists the plausible services that differ from a run in one thing: a field, or the form of a response. All operations
 * that return the same row differ alike, as in a real service.
 *
 * @param settings the policies of the run
 * @returns variants with ids such as `mutate.annotation.created_by=null`
 */
export function mutantVariants(exercised: ExercisedMutants, settings: PolicySettings): Variant[] {
  const groups = new Map<string, { record: MutatedRow; mutation: Mutation; ids: string[] }>()
  for (const [id, mutations] of Object.entries(exercised)) {
    const endpoint = endpoints.find((each) => each.id === id)
    if (!endpoint) continue
    for (const mutation of mutations) {
      const record = recordOf(endpoint, settings, mutation)
      const group = variantId(record, mutation)
      const { ids } = groups.get(group) ?? { ids: [] }
      groups.set(group, { record, mutation, ids: [...ids, id] })
    }
  }
  return [...groups].map(([id, { record, mutation, ids }]) => ({
    id,
    sentence:
      mutation.kind === 'slow'
        ? `The first response of ${ids.join(', ')} takes two seconds.`
        : `In the responses of ${ids.join(', ')}, ${describeMutation(mutation)}.`,
    ...describeEvidence(mutation, record),
    faults: ids.map((operation) => toFault(operation, mutation)),
  }))
}

/** One slow operation after the other would take longer than a test may. */
function recordOf(
  endpoint: Endpoint<World>,
  settings: PolicySettings,
  { kind }: Mutation,
): MutatedRow {
  const shape = rowShapeOf(responseShape(endpoint, settings))
  const name = kind === 'slow' ? undefined : recordNames.get(shape)
  return { name: name ?? endpoint.id, shape: shape ?? {} }
}

function variantId({ name }: MutatedRow, { kind, field }: Mutation): string {
  return `mutate.${field === undefined ? name : `${name}.${field}`}=${kind}`
}

/** Slows down only the first request of an operation, because a run can send many. */
function toFault(operation: string, mutation: Mutation): FaultRequest {
  const mutate = mutation.field === undefined ? mutation.kind : mutation
  return { operation, ...(mutation.kind === 'slow' && { when: { times: 1 } }), effect: { mutate } }
}

type Grounds = Pick<Variant, 'evidence' | 'source'>

const assumed = (source: string): Grounds => ({ evidence: 'assumed', source })

const grounds: Readonly<Record<Exclude<MutantKind, 'null' | 'extra_field'>, Grounds>> = {
  new_value: assumed('the documentation does not show the full set of values'),
  empty_page: assumed('the documentation does not show how many rows a page has'),
  long_text: assumed('the documentation does not show size limits'),
  right_to_left: {
    evidence: 'documented',
    source: 'the documentation says: string. Users write it in any language',
  },
  large_id: assumed('the documentation says: unique integer. Its range is not shown'),
  milliseconds: assumed('the documentation says: ISO 8601 date-time. Its precision is not shown'),
  seconds: {
    evidence: 'observed',
    source: 'the live service omits the fraction of a whole second',
  },
  key_order: assumed('the documentation does not say that fields have an order'),
  slow: assumed('the documentation does not show how long a response takes'),
  next_parameters: assumed('the documentation says: URL. Its parameters are not shown'),
}

function describeEvidence({ kind, field }: Mutation, { name, shape }: MutatedRow): Grounds {
  if (kind === 'extra_field') {
    return name === 'annotation' && field === undefined
      ? {
          evidence: 'observed',
          source: 'the live service added fields to annotations in July 2024, without a version',
        }
      : assumed('the documentation does not exclude further fields')
  }
  if (kind !== 'null') return grounds[kind]
  const described = listFields(shape).find(({ path }) => path === field)
  if (documentedNulls.includes(described?.name ?? '')) {
    return { evidence: 'documented', source: 'the documentation says: may be null' }
  }
  const isUnknown = Object.keys(described?.schema ?? {}).length === 0
  return isUnknown
    ? assumed('the documentation does not show the structure')
    : {
        evidence: 'observed' satisfies Evidence,
        source: 'null in the live service. The documentation does not say whether it may be null',
      }
}
