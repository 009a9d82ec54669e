import { isFormBody } from '../../http/exchange.ts'
import { mapValues } from '../../utils/json.ts'
import type { Writable } from '../../utils/writable.ts'
import { type ChangeStep, isRequestStep, type RequestStep, type Step } from '../format/scenario.ts'
import { generalizeChange, idsOfAddedRows } from './generalize-change.ts'
import {
  type AliasOrigins,
  collectId,
  collectIds,
  findOrigin,
  generalizeResponse,
  type ResponseContext,
} from './generalize-response.ts'
import { IdRegistry, type ValueOrigin } from './id-registry.ts'
import {
  generalizePath,
  generalizeText,
  identifyValue,
  isUuid,
  kindsOfResponse,
  type Leaf,
  linkKey,
  mapLeaves,
  type ResolveName,
  timesIn,
  type ValueContext,
} from './identify-values.ts'
import { RepeatedPersons } from './repeated-persons.ts'
import { escapeBraces } from './step-address.ts'

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
  /** The latest response until its ids are collected: when its step is written, or when the next request comes. */
  #pending: { readonly body: unknown; readonly context: ResponseContext } | null = null
  readonly #persons = new RepeatedPersons()
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

  /** Adds a request. @returns the indexes of the steps to write: earlier ones that changed, and the new one */
  add(step: RequestStep, target: string, baseUrl: string): number[] {
    const index = this.#steps.length
    this.#steps.push({ packed: this.#packing.pack(step), target, baseUrl })
    const context = this.#contextOf(index)
    generalizeRequest(step, target, context, this.#useIn(index))
    this.#registry.addSentTimes(timesIn(step), index)
    this.#persons.add(step.expect?.exact_body, index)
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
    if (expect && 'exact_body' in expect) {
      const raw = step.expect?.exact_body
      expect.exact_body = this.#persons.collapse(expect.exact_body, raw, index)
    }
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

function generalizeRequest(
  step: RequestStep,
  target: string,
  context: ResponseContext,
  resolve: ResolveName,
): RequestStep {
  const { query, headers, text } = step
  const link = context.registry.isKnown(linkKey(target)) ? resolve(linkKey(target)) : null
  // A copy keeps the order of the fields.
  const generalized: Writable<RequestStep> = { ...step }
  generalized.path = link === null ? generalizePath(step.path, resolve) : `{${link}}`
  if (query && link === null) {
    generalized.query = mapValues(query, (value, field) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value
      const name = resolveField(value, field, context, resolve)
      if (name) return `{${name}}`
      return typeof value === 'string' ? generalizeText(value, resolve) : value
    })
  } else if (query) delete generalized.query
  if (headers) {
    generalized.headers = mapValues(headers, (value) => generalizeText(value as string, resolve))
  }
  if ('body' in step) generalized.body = generalizeBody(step.body, context, resolve)
  if (typeof text === 'string') {
    const sent = isFormBody(Object.entries(headers ?? {}))
      ? text.split('&').map((pair) => generalizeFormField(pair, context, resolve))
      : [generalizeText(escapeBraces(text), resolve)]
    generalized.text = toTextValue(text, sent.join('&'))
  }
  return generalized
}

function resolveField(
  value: Leaf,
  field: string,
  context: ValueContext,
  resolve: ResolveName,
): string | null {
  const id = identifyValue(value, { field, within: [] }, context)
  return id && resolve(id.key)
}

function generalizeBody(body: unknown, context: ValueContext, resolve: ResolveName): unknown {
  return mapLeaves(body, (leaf, location) => {
    const id = identifyValue(leaf, location, context)
    const name = id && resolve(id.key, typeof leaf)
    if (name) return { $saved: name }
    if (typeof leaf !== 'string') return leaf
    return toTextValue(leaf, generalizeText(escapeBraces(leaf), resolve))
  })
}

/** The text itself if it uses no saved value. */
function toTextValue(text: string, generalized: string): string | { $text: string } {
  return generalized === escapeBraces(text) ? text : { $text: generalized }
}

/** Only values that need no percent-encoding can be filled in. */
function generalizeFormField(pair: string, context: ValueContext, resolve: ResolveName): string {
  const [[field = '', value = ''] = []] = new URLSearchParams(pair)
  const canBeId = /^\d+$/.test(value) || isUuid(value)
  const name = canBeId ? resolveField(value, field, context, resolve) : null
  if (!name) return escapeBraces(pair)
  return `${escapeBraces(pair.slice(0, pair.indexOf('=') + 1))}{${name}}`
}
