import { endpoints } from '../api/endpoints.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JsonSchema } from '../http/fields/body-fields.ts'
import { bodyText } from '../http/messages.ts'
import { documentedNulls } from '../settings/document.ts'
import type { Evidence, SettingValues } from '../settings/setting.ts'
import {
  describeVariant,
  type ResponseVariant,
  type VariantKind,
} from '../simulator/faults/fault.ts'
import { listFields, rowShapeOf } from '../simulator/faults/response-fields.ts'
import {
  findVariants,
  isSuccessWithJson,
  responseShape,
  rowName,
  variantName,
} from '../simulator/faults/variants.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { parseRequestBody } from '../simulator/journal/messages.ts'
import { tryParseJson } from '../utils/json.ts'
import type { Variant } from './variant.ts'

/** The variants that would have changed a response of a run, by operation. It is plain JSON. */
export type ExercisedVariants = Readonly<Record<string, readonly ResponseVariant[]>>

/**
 * Collects the variants that a run exercised, response by response, because the journal is bounded. Values that the run
 * itself sent have no variants: a service returns what was written.
 *
 * @example simulator.journal.followRecords((record) => collector.add(record))
 */
export class VariantCollector {
  readonly #found = new Map<string, Map<string, ResponseVariant>>()
  /** The name of the row that each operation returns. */
  readonly #rows = new Map<string, string | undefined>()
  /** Such as `annotation.content` */
  readonly #sent = new Set<string>()

  add(record: JournalRecord): void {
    const { operation, response, settings, target } = record
    const endpoint = endpoints.find(({ id }) => id === operation)
    if (!endpoint || !isSuccessWithJson(response)) return
    const shape = responseShape(endpoint, settings)
    const row = rowName(shape)
    this.#rows.set(endpoint.id, row)
    for (const name of Object.keys(Object(parseRequestBody(record))))
      this.#sent.add(`${row}.${name}`)
    const body = tryParseJson(bodyText(response.body))?.value
    const found = this.#found.get(endpoint.id) ?? new Map<string, ResponseVariant>()
    this.#found.set(endpoint.id, found)
    for (const variant of findVariants(body, shape, `http://localhost${target}`)) {
      found.set(`${variant.kind} ${variant.field ?? ''}`, variant)
    }
  }

  /** The variants so far. */
  get exercised(): ExercisedVariants {
    const entries = [...this.#found].map(([operation, found]) => {
      const row = this.#rows.get(operation)
      const isUnsent = ({ field }: ResponseVariant): boolean => !this.#sent.has(`${row}.${field}`)
      return [operation, [...found.values()].filter(isUnsent)]
    })
    return Object.fromEntries(entries)
  }
}

/** What a variant is about: a row that several operations return, or an operation. */
interface Target {
  /** Such as `annotation`, or the id of an operation */
  readonly name: string
  readonly shape: JsonSchema
}

/**
 * Lists the plausible services that differ from a run in one thing: a field, or the form of a response. All operations
 * that return the same row differ alike, as in a real service.
 *
 * @param values the settings of the run
 * @returns variants with ids such as `variant.annotation.created_by=null`
 */
export function responseVariants(exercised: ExercisedVariants, settings: SettingValues): Variant[] {
  const groups = new Map<
    `variant:${string}`,
    { target: Target; variant: ResponseVariant; operations: string[] }
  >()
  for (const [id, variants] of Object.entries(exercised)) {
    const endpoint = endpoints.find((each) => each.id === id)
    if (!endpoint) continue
    const target = targetOf(endpoint, settings)
    for (const variant of variants) {
      const preset = variantName(target.name, variant)
      const { operations } = groups.get(preset) ?? { operations: [] }
      groups.set(preset, { target, variant, operations: [...operations, id] })
    }
  }
  return [...groups].map(([preset, { target, variant, operations }]) => ({
    id: preset.replace(':', '.'),
    sentence: `In the responses of ${operations.join(', ')}, ${describeVariant(variant)}.`,
    needs: `that ${describeVariant(variant, 'never ')} in the responses of ${operations.join(', ')}`,
    ...describeEvidence(variant, target),
    faults: [{ preset }],
  }))
}

function targetOf(endpoint: Endpoint, settings: SettingValues): Target {
  const shape = responseShape(endpoint, settings)
  return { name: rowName(shape) ?? endpoint.id, shape: rowShapeOf(shape) ?? {} }
}

type Grounds = Pick<Variant, 'evidence' | 'source'>

const assumed = (source: string): Grounds => ({ evidence: 'assumed', source })

const grounds: Readonly<Record<Exclude<VariantKind, 'null' | 'extra_field'>, Grounds>> = {
  new_value: assumed('the documentation does not show the full set of values'),
  empty_page: assumed('the documentation does not show how many rows a page has'),
  row_order: assumed('the documentation does not show the order of a list'),
  empty_text: {
    evidence: 'documented',
    source: 'the documentation says: string. It does not exclude an empty one',
  },
  long_text: assumed('the documentation does not show size limits'),
  seconds: {
    evidence: 'observed',
    source: 'the live service omits the fraction of a whole second',
  },
}

function describeEvidence({ kind, field }: ResponseVariant, { name, shape }: Target): Grounds {
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
