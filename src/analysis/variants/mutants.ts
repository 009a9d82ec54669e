import { endpoints, type World } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { bodyText } from '../../http/messages.ts'
import { documentedNulls } from '../../policies/document.ts'
import type { Evidence, PolicySettings } from '../../policies/policies.ts'
import { mutantName, rowName } from '../../sandbox/faults/mutant-name.ts'
import { findMutations, isSuccessWithJson, responseShape } from '../../sandbox/faults/mutants.ts'
import { listFields, rowShapeOf } from '../../sandbox/faults/response-fields.ts'
import { describeMutation, type MutantKind, type Mutation } from '../../sandbox/faults/rule.ts'
import { WrittenFields } from '../../sandbox/faults/written-fields.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
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
    this.#written.add(changes, [record])
    const endpoint = endpoints.find(({ id }) => id === operation)
    if (!endpoint || !isSuccessWithJson(response)) return
    const body = tryParseJson(bodyText(response.body))?.value
    const shape = responseShape(endpoint, settings)
    const url = `http://localhost${target}`
    this.#merge(endpoint.id, findMutations(body, endpoint, shape, url, this.#written))
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

/** What a mutant is about: a row that several operations return, or an operation. */
interface Target {
  /** Such as `annotation`, or the id of an operation */
  readonly name: string
  readonly shape: JsonSchema
}

/**
 * Lists the plausible services that differ from a run in one thing: a field, or the form of a response. All operations
 * that return the same row differ alike, as in a real service.
 *
 * @param settings the policies of the run
 * @returns variants with ids such as `mutate.annotation.created_by=null`
 */
export function mutantVariants(exercised: ExercisedMutants, settings: PolicySettings): Variant[] {
  const groups = new Map<string, { target: Target; mutation: Mutation; operations: string[] }>()
  for (const [id, mutations] of Object.entries(exercised)) {
    const endpoint = endpoints.find((each) => each.id === id)
    if (!endpoint) continue
    for (const mutation of mutations) {
      const target = targetOf(endpoint, settings, mutation)
      const preset = mutantName(target.name, mutation)
      const { operations } = groups.get(preset) ?? { operations: [] }
      groups.set(preset, { target, mutation, operations: [...operations, id] })
    }
  }
  return [...groups].map(([preset, { target, mutation, operations }]) => ({
    id: preset.replace(':', '.'),
    sentence:
      mutation.kind === 'slow'
        ? `The first response of ${operations.join(', ')} takes two seconds.`
        : `In the responses of ${operations.join(', ')}, ${describeMutation(mutation)}.`,
    needs: `that ${describeMutation(mutation, 'never ')} in the responses of ${operations.join(', ')}`,
    ...describeEvidence(mutation, target),
    faults: [{ preset }],
  }))
}

/** Reads the id of a variant. @returns undefined for one that is no mutant */
export function readMutantId(
  id: string,
): { readonly target: string; readonly mutation: Mutation } | undefined {
  const [, target, field, kind] = /^mutate\.([^.=]+)(?:\.([^=]+))?=(.+)$/.exec(id) ?? []
  if (target === undefined) return undefined
  return { target, mutation: { kind: kind as MutantKind, ...(field !== undefined && { field }) } }
}

/** One slow operation after the other would take longer than a test may. */
function targetOf(endpoint: Endpoint<World>, settings: PolicySettings, { kind }: Mutation): Target {
  const shape = responseShape(endpoint, settings)
  const name = kind === 'slow' ? undefined : rowName(shape)
  return { name: name ?? endpoint.id, shape: rowShapeOf(shape) ?? {} }
}

type Grounds = Pick<Variant, 'evidence' | 'source'>

const assumed = (source: string): Grounds => ({ evidence: 'assumed', source })

const grounds: Readonly<
  Record<Exclude<MutantKind, 'null' | 'extra_field' | 'empty_map'>, Grounds>
> = {
  new_value: assumed('the documentation does not show the full set of values'),
  empty_page: assumed('the documentation does not show how many rows a page has'),
  short_page: assumed('the documentation does not show the maximum of limit'),
  row_order: assumed('the documentation does not show the order of a list'),
  repeated_row: assumed(
    'the documentation does not say that rows keep their places while a client reads pages',
  ),
  empty_text: {
    evidence: 'documented',
    source: 'the documentation says: string. It does not exclude an empty one',
  },
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
  offset: assumed(
    'the documentation says: ISO 8601 date-time. It does not show how UTC is written',
  ),
  key_order: assumed('the documentation does not say that fields have an order'),
  slow: assumed('the documentation does not show how long a response takes'),
  next_parameters: assumed('the documentation says: URL. Its parameters are not shown'),
  charset: assumed('the documentation says: JSON. It does not show the content type of responses'),
  no_length: assumed('the documentation does not show headers of responses'),
  other_value: assumed('the documentation does not show this value'),
}

function describeEvidence({ kind, field }: Mutation, { name, shape }: Target): Grounds {
  if (kind === 'extra_field') {
    return name === 'annotation' && field === undefined
      ? {
          evidence: 'observed',
          source: 'the live service added fields to annotations in July 2024, without a version',
        }
      : assumed('the documentation does not exclude further fields')
  }
  if (kind === 'empty_map') {
    return field?.endsWith('hedgehog_config')
      ? { evidence: 'documented', source: 'the documentation says: arbitrary string keys' }
      : assumed('the documentation does not show the structure')
  }
  if (kind !== 'null') return grounds[kind]
  const described = listFields(shape).find(({ path }) => path === field)
  if (documentedNulls.includes(described?.name ?? '')) {
    return { evidence: 'documented', source: 'the documentation says: may be null' }
  }
  if (described?.path === 'created_at') {
    return assumed('the documentation does not say whether it may be null')
  }
  const isUnknown = Object.keys(described?.schema ?? {}).length === 0
  return isUnknown
    ? assumed('the documentation does not show the structure')
    : {
        evidence: 'observed' satisfies Evidence,
        source: 'null in the live service. The documentation does not say whether it may be null',
      }
}
