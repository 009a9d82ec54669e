import { type ChangeStep, isRequest, type Step } from '../scenarios/scenario.ts'
import type { Added } from './added.ts'
import { baseOf } from './address.ts'
import { namedRequest } from './asked.ts'
import { Disguise, undisguised } from './disguise.ts'
import { exactStep } from './exact-step.ts'
import type { Exchange } from './exchange.ts'
import { generalExpectation, type Hearing, holdsHeard } from './expected.ts'
import { kindsOfAnswer } from './kinds.ts'
import { Labels } from './labels.ts'
import { LastAnswer } from './last-answer.ts'
import { learnLeaf, originIn } from './learn-answer.ts'
import { type Origin, Origins } from './origins.ts'
import { asTheyAre, type Packing } from './packing.ts'
import { idsMadeBy, namedChange } from './row-names.ts'
import { timesSent } from './times.ts'

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

interface Taken {
  readonly packed: unknown
  readonly relative: string
  readonly baseUrl: string
}

/** Makes steps of requests and their answers, one after another: later ones say which values matter of earlier ones. */
export class Recorder {
  readonly #taken: Taken[] = []
  readonly #origins = new Origins((key, index) => this.#origin(key, index))
  readonly #last = new LastAnswer()
  readonly #disguise: Disguise
  readonly #labels: Labels
  readonly #options: RecorderOptions
  readonly #packing: Packing

  constructor(options: RecorderOptions = {}) {
    this.#options = options
    this.#packing = options.packing ?? asTheyAre
    this.#disguise = new Disguise(Object.values(options.keys ?? {}))
    this.#labels = new Labels(options.keys)
  }

  /** How many steps there are. */
  get length(): number {
    return this.#taken.length
  }

  /** The address of a request that is not added, as it may be told. */
  shownAddress(url: string): string {
    return this.#options.keep ? url : this.#disguise.address(url)
  }

  /** One more request and its answer. */
  add(given: Exchange): Added {
    // Before anything of this one is known.
    this.#last.learn()
    const { keep = false, baseUrl = baseOf(given.url) } = this.#options
    const labelled = this.#labels.labelled(given)
    const { exchange, json } = keep ? undisguised(labelled) : this.#disguise.read(labelled)
    const exact = exactStep(exchange, baseUrl, json)
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
    namedRequest(exact.step, relative, hearing, (key, type) => this.#origins.used(key, index, type))
    this.#origins.sentTimes(timesSent(exact.step), index)
    this.#last.put(exact.step.expect?.exact_body, hearing)
    const changed = [...this.#origins.takeChanged()].filter((step) => step !== index)
    const { text = '' } = exact.step.expect ?? {}
    const personal = "answer's text, as personal data is replaced in it"
    const left_out = [...exact.left_out, ...(holdsHeard(text, hearing) ? [personal] : [])]
    const warnings = [
      ...left_out.map((part) => `steps[${index}] leaves out its ${part}.`),
      ...this.#labels.news(exchange.key, index),
    ]
    return { exchange, changed: [...changed, index].sort((a, b) => a - b), warnings }
  }

  /** A change of the world between two requests. */
  change(given: ChangeStep): void {
    this.#last.learn()
    const index = this.#taken.length
    const step = this.#options.keep ? given : this.#disguise.change(given)
    this.#taken.push({ packed: this.#packing.pack(step), relative: '', baseUrl: '' })
    namedChange(step, (key, type) => this.#origins.used(key, index, type))
    for (const { key } of idsMadeBy(step)) this.#origins.heard(key, index)
  }

  /** A step, as far as is known now. */
  step(index: number): Step {
    const taken = this.#taken[index] as Taken
    const step = this.#packing.unpack(taken.packed)
    const resolve = (key: string): string | null => this.#origins.nameAt(key, index)
    const save = this.#origins.savesOf(index)
    if (!isRequest(step)) return { ...namedChange(step, resolve), ...(save && { save }) }
    const hearing = this.#hearing(taken, index)
    const named = namedRequest(step, taken.relative, hearing, resolve)
    const learn = this.#last.isOf(index) ? learnLeaf : undefined
    const expect = step.expect && generalExpectation(step.expect, hearing, learn)
    if (learn) this.#last.done()
    return { ...named, ...(expect && { expect }), ...(save && { save }) }
  }

  #origin(key: string, index: number): Origin {
    const taken = this.#taken[index] as Taken
    const step = this.#packing.unpack(taken.packed)
    if (isRequest(step)) return originIn(step.expect?.exact_body, key, this.#hearing(taken, index))
    return idsMadeBy(step).find((made) => made.key === key) as Origin
  }

  #hearing({ baseUrl, relative }: Taken, index: number): Hearing {
    const kinds = kindsOfAnswer(relative)
    const isHeard = (alias: string): boolean => this.#disguise.isHeard(alias)
    const isSent: Hearing['isSent'] = (alias, field) => this.#disguise.isSent(alias, field)
    return { kinds, baseUrl, origins: this.#origins, step: index, isHeard, isSent }
  }
}
