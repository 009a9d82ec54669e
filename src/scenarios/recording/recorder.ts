import type { Exchange } from '../../http/exchange.ts'
import { type ChangeStep, isRequestStep, type Step } from '../format/scenario.ts'
import { Anonymizer, withoutAnonymizing } from './anonymize.ts'
import { collectId, findOrigin, PendingResponse } from './collect-ids.ts'
import { toRecordedStep } from './exact-step.ts'
import { generalizeResponse, isUnrepeatable, type ResponseContext } from './generalize-response.ts'
import { generalizeChange, generalizeRequest, idsOfAddedRows } from './generalize-step.ts'
import { IdRegistry, type ValueOrigin } from './id-registry.ts'
import { kindsOfResponse, timesIn } from './identify-values.ts'
import { KeyLabeler } from './request-keys.ts'
import { guessBaseUrl } from './request-parts.ts'

/** How requests become steps. */
export interface RecorderOptions {
  /** Where the API begins; by default what stands before `/api` in each address */
  readonly baseUrl?: string
  /** The values of keys by their labels; a key that is not among them gets a label of its own */
  readonly keys?: Readonly<Record<string, string>>
  /** Whether secrets and personal data stay as they are; by default they are replaced */
  readonly keep?: boolean
  /** How steps are kept until they are asked for; by default as they are */
  readonly packing?: Packing
}

interface StoredStep {
  readonly packed: unknown
  readonly relative: string
  readonly baseUrl: string
}

/** Makes steps of requests and their answers, one after another: later ones say which values matter of earlier ones. */
export class Recorder {
  readonly #taken: StoredStep[] = []
  readonly #origins = new IdRegistry((key, index) => this.#origin(key, index))
  readonly #last = new PendingResponse()
  readonly #disguise: Anonymizer
  readonly #labels: KeyLabeler
  readonly #options: RecorderOptions
  readonly #packing: Packing

  constructor(options: RecorderOptions = {}) {
    this.#options = options
    this.#packing = options.packing ?? noPacking
    this.#disguise = new Anonymizer(Object.values(options.keys ?? {}))
    this.#labels = new KeyLabeler(options.keys)
  }

  /** How many steps there are. */
  get length(): number {
    return this.#taken.length
  }

  /** The address of a request that is not added, as it may be told. */
  anonymizeUrl(url: string): string {
    return this.#options.keep ? url : this.#disguise.anonymizeUrl(url)
  }

  /** One more request and its answer. */
  add(given: Exchange): AddedExchange {
    // Before anything of this one is known.
    this.#last.collect()
    const { keep = false, baseUrl = guessBaseUrl(given.url) } = this.#options
    const labelled = this.#labels.withLabel(given)
    const { exchange, json } = keep
      ? withoutAnonymizing(labelled)
      : this.#disguise.anonymizeAndParse(labelled)
    const exact = toRecordedStep(exchange, baseUrl, json)
    const { method, url } = exchange
    if (!exact) {
      const expected = `a request below ${baseUrl} that scenarios know`
      const warning = `A request is left out: expected ${expected}, got ${method} ${url}.`
      return { exchange, changed: [], warnings: [warning] }
    }
    const index = this.#taken.length
    const relative = url.slice(baseUrl.length)
    const taken = { packed: this.#packing.pack(exact.step), relative, baseUrl }
    this.#taken.push(taken)
    const hearing = this.#hearing(taken, index)
    generalizeRequest(exact.step, relative, hearing, (key, type) =>
      this.#origins.useInRequest(key, index, type),
    )
    this.#origins.addSentTimes(timesIn(exact.step), index)
    this.#last.set(exact.step.expect?.exact_body, hearing)
    const changed = [...this.#origins.takeChanged()].filter((step) => step !== index)
    const { text = '' } = exact.step.expect ?? {}
    const personal = "answer's text, as personal data is replaced in it"
    const left_out = [...exact.left_out, ...(isUnrepeatable(text, hearing) ? [personal] : [])]
    const warnings = [
      ...left_out.map((part) => `steps[${index}] leaves out its ${part}.`),
      ...this.#labels.warnAboutNewLabel(exchange.key, index),
    ]
    return { exchange, changed: [...changed, index].sort((a, b) => a - b), warnings }
  }

  /** A change of the world between two requests. */
  addChange(given: ChangeStep): void {
    this.#last.collect()
    const index = this.#taken.length
    const step = this.#options.keep ? given : this.#disguise.anonymizeChange(given)
    this.#taken.push({ packed: this.#packing.pack(step), relative: '', baseUrl: '' })
    generalizeChange(step, (key, type) => this.#origins.useInRequest(key, index, type))
    for (const { key } of idsOfAddedRows(step)) this.#origins.addFromResponse(key, index)
  }

  /** A step, as far as is known now. */
  step(index: number): Step {
    const taken = this.#taken[index] as StoredStep
    const step = this.#packing.unpack(taken.packed)
    const resolve = (key: string): string | null => this.#origins.nameAt(key, index)
    const save = this.#origins.savesOf(index)
    if (!isRequestStep(step)) return { ...generalizeChange(step, resolve), ...(save && { save }) }
    const hearing = this.#hearing(taken, index)
    const named = generalizeRequest(step, taken.relative, hearing, resolve)
    const learn = this.#last.isFrom(index) ? collectId : undefined
    const expect = step.expect && generalizeResponse(step.expect, hearing, learn)
    if (learn) this.#last.clear()
    return { ...named, ...(expect && { expect }), ...(save && { save }) }
  }

  #origin(key: string, index: number): ValueOrigin {
    const taken = this.#taken[index] as StoredStep
    const step = this.#packing.unpack(taken.packed)
    if (isRequestStep(step))
      return findOrigin(step.expect?.exact_body, key, this.#hearing(taken, index))
    return idsOfAddedRows(step).find((made) => made.key === key) as ValueOrigin
  }

  #hearing({ baseUrl, relative }: StoredStep, index: number): ResponseContext {
    const kinds = kindsOfResponse(relative)
    const isHeard = (alias: string): boolean => this.#disguise.isFromResponse(alias)
    const isSent: ResponseContext['isSent'] = (alias, field) =>
      this.#disguise.isSentByClient(alias, field)
    return { kinds, baseUrl, origins: this.#origins, step: index, isHeard, isSent }
  }
}

/** What came of one more exchange in a recording. */
interface AddedExchange {
  /** As it may be told: without what is hidden */
  readonly exchange: Exchange
  /** The positions of the steps that are new, or read otherwise than before */
  readonly changed: readonly number[]
  /** What of it no step can say, in whole sentences */
  readonly warnings: readonly string[]
}

/** Makes steps small, and large again: of a long recording they take the most memory. */
export interface Packing {
  pack(step: Step): unknown
  unpack(packed: unknown): Step
}

/** Steps that are kept as they are. */
const noPacking: Packing = { pack: (step) => step, unpack: (packed) => packed as Step }
