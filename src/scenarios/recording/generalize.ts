import { isFormBody } from '../../http/exchange.ts'
import { isObject, mapValues } from '../../utils/json.ts'
import { type Aliases, aliasPattern, isAlias } from '../../utils/redaction/aliases.ts'
import {
  type ChangeStep,
  type ExpectedResponse,
  isRequestStep,
  type RequestStep,
  type Step,
} from '../format/scenario.ts'
import { escapeBraces } from '../format/values.ts'
import { generalizeChange, idsOfAddedRows } from './generalize-change.ts'
import { hideInExpected, hideInRequest, hideInTexts, type LearnedSecrets } from './hide.ts'
import {
  eachLeaf,
  generalizeLinks,
  generalizePath,
  generalizeText,
  IdRegistry,
  identifyValue,
  isAliasKey,
  isBelowBaseUrl,
  isTime,
  isUuid,
  kindsOfResponse,
  type Leaf,
  linkKey,
  linkTextKey,
  linkTextsIn,
  mapLeaves,
  type ResolveName,
  timeKey,
  timesIn,
  toPointer,
  type ValueContext,
  type ValueLocation,
} from './saved-ids.ts'

interface StoredStep {
  readonly step: Step
  /** The path and query of a request, below the base URL */
  readonly target: string
  readonly baseUrl: string
  /** How many secrets were known when it was stored */
  readonly knownCount: number
}

/** Where the values behind aliases come from. */
type AliasOrigins = Pick<Aliases, 'isFromResponse' | 'isSentByClient'>

type FileSecrets = AliasOrigins & LearnedSecrets

/** A step in its recording. */
interface StepContext extends ValueContext {
  readonly registry: IdRegistry
  readonly step: number
  readonly aliases: AliasOrigins
}

/**
 * The steps of a recording, generalized: ids become saved values, and times become matchers. Steps are stored, because a
 * later request can change how an earlier step is written.
 */
export class GeneralizedSteps {
  readonly #steps: StoredStep[] = []
  /** The base URL of each request, and of the next one for each change. */
  readonly #baseUrls: string[] = []
  readonly #registry = new IdRegistry()
  readonly #persons = new RepeatedPersons()
  readonly #aliases: FileSecrets

  constructor(aliases: FileSecrets) {
    this.#aliases = aliases
  }

  get length(): number {
    return this.#steps.length
  }

  /** Adds a request. @returns the indexes of the steps to write: earlier ones that changed, and the new one */
  add(step: RequestStep, target: string, baseUrl: string): number[] {
    const index = this.#steps.length
    const registry = this.#registry
    const body = step.expect?.exact_body
    this.#store(step, target, baseUrl)
    while (this.#baseUrls.length <= index) this.#baseUrls.push(baseUrl)
    const context = this.#contextOf(index, target, baseUrl)
    generalizeRequest(step, target, context, this.#useIn(index))
    for (const time of timesIn(step)) registry.addSent(time, index)
    for (const text of linkTextsIn(step)) registry.addSent(text, index)
    // A page that the client requested by itself is no link of a later page.
    registry.addSent(linkKey(target), index)
    collectIds(body, context)
    this.#persons.add(body, index)
    return [...registry.takeChanged().add(index)].sort((a, b) => a - b)
  }

  addChange(step: ChangeStep): void {
    const index = this.#steps.length
    this.#store(step, '', '')
    generalizeChange(step, this.#useIn(index))
    for (const { key, ...origin } of idsOfAddedRows(step)) {
      this.#registry.addFromResponse(key, index, () => origin)
    }
  }

  #store(step: Step, target: string, baseUrl: string): void {
    const { knownCount } = this.#aliases
    this.#steps.push({ step, target, baseUrl, knownCount })
  }

  /** The step at an index, as the requests up to now define it. Secrets that they showed are replaced. */
  step(index: number): Step {
    const { step, target, baseUrl, knownCount } = this.#steps[index] as StoredStep
    const secrets = knownCount < this.#aliases.knownCount ? this.#aliases : null
    const resolve = (key: string): string | null => this.#registry.nameAt(key, index)
    const save = this.#registry.savesOf(index)
    if (!isRequestStep(step)) {
      const change = generalizeChange(step, resolve, this.#baseUrls[index] ?? '')
      const hidden = secrets ? (hideInTexts(change, secrets) as ChangeStep) : change
      return { ...hidden, ...(save && { save }) }
    }
    const context = this.#contextOf(index, target, baseUrl)
    const named = generalizeRequest(step, target, context, resolve)
    const request = secrets ? hideInRequest(named, secrets) : named
    const shown = secrets && step.expect ? hideInExpected(step.expect, secrets) : step.expect
    const expect = shown && generalizeResponse(shown, context)
    if (expect && 'exact_body' in expect) {
      const raw = step.expect?.exact_body
      expect.exact_body = this.#persons.collapse(expect.exact_body, raw, index)
    }
    return { ...request, ...(expect && { expect }), ...(save && { save }) }
  }

  #useIn(index: number): ResolveName {
    return (key, type) => this.#registry.useInRequest(key, index, type)
  }

  #contextOf(step: number, target: string, baseUrl: string): StepContext {
    const kinds = kindsOfResponse(target)
    return { kinds, baseUrl, registry: this.#registry, step, aliases: this.#aliases }
  }
}

/** Collects the ids of a response, except for aliases of values that a request introduced, and the ids within links. */
function collectIds(body: unknown, context: StepContext): void {
  const { registry, baseUrl, step, aliases } = context
  eachLeaf(body, (leaf, location) => {
    const id = identifyValue(leaf, location, context)
    const isSent = typeof leaf === 'string' && isAlias(leaf) && !aliases.isFromResponse(leaf)
    if (id && !isSent) {
      const { name } = id
      registry.addFromResponse(id.key, step, () => {
        return { pointer: toPointer(location), name, type: typeof leaf }
      })
    }
    if (typeof leaf !== 'string' || !isBelowBaseUrl(leaf, baseUrl)) return
    generalizePath(leaf.slice(baseUrl.length), (key) => {
      registry.addMention(key, step)
      return null
    })
  })
}

function generalizeRequest(
  step: RequestStep,
  target: string,
  context: StepContext,
  resolve: ResolveName,
): RequestStep {
  const { query, headers, text } = step
  const link = context.registry.isKnown(linkKey(target)) ? resolve(linkKey(target)) : null
  const resolveField = (value: Leaf, field: string): string | null => {
    const id = identifyValue(value, { field, within: [] }, context)
    return id && resolve(id.key)
  }
  // A copy keeps the order of the fields.
  const generalized: Writable<RequestStep> = { ...step }
  generalized.path = link === null ? generalizePath(step.path, resolve) : `{${link}}`
  if (query && link === null) {
    generalized.query = mapValues(query, (value, field) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value
      const name = resolveField(value, field)
      if (name) return `{${name}}`
      return typeof value === 'string' ? generalizeText(value, resolve) : value
    })
  } else if (query) delete generalized.query
  if (headers) {
    generalized.headers = mapValues(headers, (value) => generalizeText(value as string, resolve))
  }
  if ('body' in step) {
    generalized.body = mapLeaves(step.body, (leaf, location) => {
      const id = identifyValue(leaf, location, context)
      // An e-mail address that a client writes is not copied from a row that has the same one, unless its field is.
      const isCopied = !isAlias(String(leaf)) || context.registry.originName(id?.key) === id?.name
      const name = id && isCopied && resolve(id.key, typeof leaf)
      if (name) return { $saved: name }
      if (typeof leaf !== 'string') return leaf
      return toTextValue(leaf, generalizeText(escapeBraces(leaf), withoutAliases(resolve)))
    })
  }
  if (typeof text === 'string') {
    const parts = isFormBody(Object.entries(headers ?? {}))
      ? text.split('&').map((pair) => generalizeFormField(pair, resolveField))
      : [generalizeText(escapeBraces(text), resolve)]
    generalized.text = toTextValue(text, parts.join('&'))
  }
  return generalized
}

function withoutAliases(resolve: ResolveName): ResolveName {
  return (key, type) => (isAliasKey(key) ? null : resolve(key, type))
}

/** The text itself if it uses no saved value. */
function toTextValue(text: string, generalized: string): string | { $text: string } {
  return generalized === escapeBraces(text) ? text : { $text: generalized }
}

/** Only values that need no percent-encoding can be filled in. */
function generalizeFormField(
  pair: string,
  resolveField: (value: Leaf, field: string) => string | null,
): string {
  const [[field = '', value = ''] = []] = new URLSearchParams(pair)
  const canBeId = /^\d+$/.test(value) || isUuid(value)
  const name = canBeId ? resolveField(value, field) : null
  if (!name) return escapeBraces(pair)
  return `${escapeBraces(pair.slice(0, pair.indexOf('=') + 1))}{${name}}`
}

/** Replaces the values of an expected response that differ in each run by matchers and saved values. */
function generalizeResponse(
  expect: ExpectedResponse,
  context: StepContext,
): Writable<ExpectedResponse> {
  const { headers, exact_body, text } = expect
  const generalized: Writable<ExpectedResponse> = { ...expect }
  if (headers) {
    generalized.headers = mapValues(headers, (value) =>
      typeof value === 'string' ? openText(value, context) : value,
    )
  }
  if ('exact_body' in expect) {
    generalized.exact_body = mapLeaves(exact_body, (leaf, location) =>
      generalizeLeaf(leaf, location, context),
    )
  }
  // A text is compared byte for byte. With an alias in it, no response could be equal.
  if (text !== undefined && isUnrepeatable(text, context.aliases)) delete generalized.text
  return generalized
}

function generalizeLeaf(leaf: Leaf, location: ValueLocation, context: StepContext): unknown {
  const { registry, step, aliases } = context
  const id = identifyValue(leaf, location, context)
  const name = id && registry.nameAt(id.key, step)
  if (name) return { $saved: name }
  const isSent = id !== null && registry.isSentBy(id.key, step)
  if (typeof leaf === 'number') return id && !isSent ? { $match: 'id' } : leaf
  if (isTime(leaf)) return registry.isSentBy(timeKey(leaf), step) ? leaf : { $match: 'time' }
  if (isAlias(leaf)) {
    const isEcho = !aliases.isFromResponse(leaf) && aliases.isSentByClient(leaf, location.field)
    return isEcho ? leaf : { $match: 'text' }
  }
  const open = registry.isSentBy(linkTextKey(leaf), step) ? leaf : openText(leaf, context)
  if (open !== leaf || !id || isSent) return open
  return { $match: isUuid(leaf) ? 'uuid' : 'text' }
}

/** Replaces what differs in each run within a text: values that only the service knows, and the base URL of links. */
function openText(text: string, context: StepContext): unknown {
  const { baseUrl, registry, step, aliases } = context
  if (isUnrepeatable(text, aliases)) return { $match: 'text' }
  return generalizeLinks(text, baseUrl, (key) => registry.nameAt(key, step))
}

/** Whether a text contains an alias of a value that only the recorded service knows. */
export function isUnrepeatable(
  expected: NonNullable<ExpectedResponse['text']>,
  aliases: AliasOrigins,
): boolean {
  const text = typeof expected === 'string' ? expected : expected.$text
  if (!text.includes('replaced-')) return false
  return (text.match(aliasPattern) ?? []).some((alias) => aliases.isFromResponse(alias))
}

/** The persons of a recording, such as authors of rows. Each is written once. Later, a matcher replaces it. */
class RepeatedPersons {
  /** The first step whose response has a person, by the JSON text of the person. */
  readonly #firstSteps = new Map<string, number>()

  /** Finds the persons of a response. */
  add(body: unknown, step: number): void {
    if (typeof body !== 'object' || body === null) return
    if ('email' in body) {
      const person = JSON.stringify(body)
      if (!this.#firstSteps.has(person)) this.#firstSteps.set(person, step)
    }
    for (const inner of Object.values(body)) this.add(inner, step)
  }

  /**
   * Replaces repeated persons by a matcher, unless an expected field says who they are. A hidden name does not.
   *
   * @param body the generalized form of `raw`
   */
  collapse(body: unknown, raw: unknown, step: number, shown: Set<string> = new Set()): unknown {
    if (typeof body !== 'object' || typeof raw !== 'object' || !body || !raw) return body
    if (isObject(body) && 'email' in raw) {
      const person = JSON.stringify(raw)
      const isFirst = this.#firstSteps.get(person) === step && !shown.has(person)
      shown.add(person)
      const isUnnamed = Object.values(body).every(
        (value) => typeof value !== 'string' || isAlias(value),
      )
      if (isUnnamed && !isFirst) return { $match: 'object' }
    }
    return mapValues(body, (value, name) =>
      this.collapse(value, raw[name as keyof typeof raw], step, shown),
    )
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }
