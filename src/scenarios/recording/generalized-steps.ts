import { type ChangeStep, isRequestStep, type RequestStep, type Step } from '../format/scenario.ts'
import {
  type AliasOrigins,
  collectId,
  collectIds,
  findOrigin,
  generalizeResponse,
  type ResponseContext,
} from './generalize-response.ts'
import { generalizeChange, generalizeRequest, idsOfAddedRows } from './generalize-step.ts'
import { IdRegistry, type ValueOrigin } from './id-registry.ts'
import { kindsOfResponse, type ResolveName, timesIn } from './identify-values.ts'

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
  /**
   * The latest response until its ids are collected. If its step is written first, the ids are collected in the same
   * walk. Otherwise they are collected when the next request comes.
   */
  #pending: { readonly body: unknown; readonly context: ResponseContext } | null = null
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
    if (this.#pending) collectIds(this.#pending.body, this.#pending.context)
    this.#pending = null
  }

  /**
   * Adds a request.
   *
   * @param target its path and query, below the base URL
   * @returns the indexes of the steps to write, in order: the new one, and earlier ones that changed
   */
  add(step: RequestStep, target: string, baseUrl: string): number[] {
    const index = this.#steps.length
    this.#steps.push({ packed: this.#packing.pack(step), target, baseUrl })
    const context = this.#contextOf(index)
    generalizeRequest(step, target, context, this.#useIn(index))
    this.#registry.addSentTimes(timesIn(step), index)
    this.#pending = { body: step.expect?.exact_body, context }
    return [...this.#registry.takeChanged().add(index)].sort((a, b) => a - b)
  }

  addChange(step: ChangeStep): void {
    const index = this.#steps.length
    this.#steps.push({ packed: this.#packing.pack(step), target: '', baseUrl: '' })
    generalizeChange(step, this.#useIn(index))
    for (const { key } of idsOfAddedRows(step)) this.#registry.addFromResponse(key, index)
  }

  /** The step at an index, as the requests up to now define it. */
  step(index: number): Step {
    const stored = this.#steps[index] as StoredStep
    const step = this.#packing.unpack(stored.packed)
    const resolve = (key: string): string | null => this.#registry.nameAt(key, index)
    const save = this.#registry.savesOf(index)
    if (!isRequestStep(step)) return { ...generalizeChange(step, resolve), ...(save && { save }) }
    const context = this.#contextOf(index)
    const request = generalizeRequest(step, stored.target, context, resolve)
    const isPending = this.#pending?.context.step === index
    const expect =
      step.expect && generalizeResponse(step.expect, context, isPending ? collectId : undefined)
    if (isPending) this.#pending = null
    return { ...request, ...(expect && { expect }), ...(save && { save }) }
  }

  #useIn(index: number): ResolveName {
    return (key, type) => this.#registry.useInRequest(key, index, type)
  }

  #findOrigin(key: string, index: number): ValueOrigin {
    const step = this.#packing.unpack(this.#steps[index]?.packed)
    return isRequestStep(step)
      ? findOrigin(step.expect?.exact_body, key, this.#contextOf(index))
      : (idsOfAddedRows(step).find((added) => added.key === key) as ValueOrigin)
  }

  #contextOf(step: number): ResponseContext {
    const { baseUrl, target } = this.#steps[step] as StoredStep
    const kinds = kindsOfResponse(target)
    return { kinds, baseUrl, registry: this.#registry, step, aliases: this.#aliases }
  }
}
