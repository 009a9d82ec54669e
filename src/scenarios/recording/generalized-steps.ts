import { type ChangeStep, isRequestStep, type RequestStep, type Step } from '../format/scenario.ts'
import { collectId, findOrigin, PendingResponse } from './collect-ids.ts'
import { generalizeResponse, isUnrepeatable, type ResponseContext } from './generalize-response.ts'
import { generalizeChange, generalizeRequest, idsOfAddedRows } from './generalize-step.ts'
import { IdRegistry, type ValueOrigin } from './id-registry.ts'
import { kindsOfResponse, timesIn } from './identify-values.ts'

/** Where the values behind aliases come from. */
type AliasOrigins = Pick<ResponseContext, 'isFromResponse' | 'isSentByClient'>

interface StoredStep {
  readonly packed: unknown
  /** The path and query of a request, below the base URL */
  readonly target: string
  readonly baseUrl: string
}

/** Compresses stored steps, since they take most of the memory of a long recording. */
export interface Packing {
  pack(step: Step): unknown
  unpack(packed: unknown): Step
}

const noPacking: Packing = { pack: (step) => step, unpack: (packed) => packed as Step }

/**
 * The steps of a recording, generalized: ids become saved values, and times become matchers. The second stage of a
 * recording. Steps are stored, because a later request can change how an earlier step is written.
 */
export class GeneralizedSteps {
  readonly #steps: StoredStep[] = []
  readonly #registry = new IdRegistry((key, index) => this.#findOrigin(key, index))
  readonly #pending = new PendingResponse()
  readonly #aliases: AliasOrigins
  readonly #packing: Packing

  constructor(aliases: AliasOrigins, packing: Packing = noPacking) {
    this.#aliases = aliases
    this.#packing = packing
  }

  get length(): number {
    return this.#steps.length
  }

  /** Collects the ids of the latest response. Call this before the next request is anonymized. */
  collectIds(): void {
    this.#pending.collect()
  }

  /**
   * Adds a request.
   *
   * @param target its path and query, below the base URL
   * @returns the indexes of the steps to write, in order: the new one, and earlier ones that changed
   */
  add(step: RequestStep, target: string, baseUrl: string): number[] {
    const index = this.#steps.length
    const stored = { packed: this.#packing.pack(step), target, baseUrl }
    this.#steps.push(stored)
    const context = this.#contextOf(stored, index)
    generalizeRequest(step, target, context, (key, type) =>
      this.#registry.useInRequest(key, index, type),
    )
    this.#registry.addSentTimes(timesIn(step), index)
    this.#pending.set(step.expect?.exact_body, context)
    const changed = [...this.#registry.takeChanged()].filter(
      (changedIndex) => changedIndex !== index,
    )
    return [...changed, index].sort((a, b) => a - b)
  }

  /** Adds a change of the world. */
  addChange(step: ChangeStep): void {
    const index = this.#steps.length
    this.#steps.push({ packed: this.#packing.pack(step), target: '', baseUrl: '' })
    generalizeChange(step, (key, type) => this.#registry.useInRequest(key, index, type))
    for (const { key } of idsOfAddedRows(step)) this.#registry.addFromResponse(key, index)
  }

  /** Whether a step cannot expect this text: it contains values that only the recorded service knows. */
  isUnrepeatable(text: NonNullable<NonNullable<RequestStep['expect']>['text']>): boolean {
    return isUnrepeatable(text, {
      isFromResponse: (alias) => this.#aliases.isFromResponse(alias),
    })
  }

  /** The step at an index, as the requests up to now define it. */
  step(index: number): Step {
    const stored = this.#steps[index] as StoredStep
    const step = this.#packing.unpack(stored.packed)
    const resolve = (key: string): string | null => this.#registry.nameAt(key, index)
    const save = this.#registry.savesOf(index)
    if (!isRequestStep(step)) return { ...generalizeChange(step, resolve), ...(save && { save }) }
    const context = this.#contextOf(stored, index)
    const request = generalizeRequest(step, stored.target, context, resolve)
    const isPending = this.#pending.isFrom(index)
    const expect =
      step.expect && generalizeResponse(step.expect, context, isPending ? collectId : undefined)
    if (isPending) this.#pending.clear()
    return { ...request, ...(expect && { expect }), ...(save && { save }) }
  }

  #findOrigin(key: string, index: number): ValueOrigin {
    const stored = this.#steps[index] as StoredStep
    const step = this.#packing.unpack(stored.packed)
    if (isRequestStep(step)) {
      return findOrigin(step.expect?.exact_body, key, this.#contextOf(stored, index))
    }
    return idsOfAddedRows(step).find((added) => added.key === key) as ValueOrigin
  }

  #contextOf({ baseUrl, target }: StoredStep, step: number): ResponseContext {
    const aliases = this.#aliases
    return {
      kinds: kindsOfResponse(target),
      baseUrl,
      registry: this.#registry,
      step,
      isFromResponse: (alias) => aliases.isFromResponse(alias),
      isSentByClient: (alias, field) => aliases.isSentByClient(alias, field),
    }
  }
}
