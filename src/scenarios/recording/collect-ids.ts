import { isAlias } from './aliases.ts'
import type { ResponseContext } from './generalize-response.ts'
import type { ValueId, ValueOrigin } from './id-registry.ts'
import { generalizePath, identifyValue, type Leaf, mapLeaves } from './identify-values.ts'
import { isBelowBaseUrl } from './step-address.ts'

function collectIds(body: unknown, context: ResponseContext): void {
  mapLeaves(body, (leaf, location) => {
    collectId(leaf, identifyValue(leaf, location, context), context)
    return leaf
  })
}

/** Registers a value of a response, as a later request may use it. */
export function collectId(leaf: Leaf, id: ValueId | null, context: ResponseContext): void {
  const { registry, baseUrl, step } = context
  if (id && !isFromRequest(leaf, context)) registry.addFromResponse(id.key, step)
  if (typeof leaf !== 'string' || !isBelowBaseUrl(leaf, baseUrl)) return
  generalizePath(leaf.slice(baseUrl.length), (key) => {
    registry.addMention(key, step)
    return null
  })
}

/** Finds the first occurrence of a registered value in its response. */
export function findOrigin(body: unknown, key: string, context: ResponseContext): ValueOrigin {
  let origin: ValueOrigin | undefined
  mapLeaves(body, (leaf, location) => {
    const id = origin ? null : identifyValue(leaf, location, context)
    if (id?.key === key && !isFromRequest(leaf, context)) {
      origin = { pointer: location.pointer, name: id.name, type: typeof leaf }
    }
    return leaf
  })
  if (!origin) throw new Error(`Failed to find ${key}: the response does not contain it.`)
  return origin
}

/** Whether a request introduced the value, so that the response only repeats it. */
function isFromRequest(leaf: Leaf, { isFromResponse }: ResponseContext): boolean {
  return typeof leaf === 'string' && isAlias(leaf) && !isFromResponse(leaf)
}

/**
 * The latest response until its ids are collected. If its step is written first, the ids are collected in the same
 * walk. Otherwise they are collected when the next request comes.
 */
export class PendingResponse {
  #pending: { readonly body: unknown; readonly context: ResponseContext } | null = null

  /** Call `collect` first. */
  set(body: unknown, context: ResponseContext): void {
    this.#pending = { body, context }
  }

  isFrom(step: number): boolean {
    return this.#pending?.context.step === step
  }

  /** Call this if the ids were collected elsewhere. */
  clear(): void {
    this.#pending = null
  }

  collect(): void {
    if (this.#pending) collectIds(this.#pending.body, this.#pending.context)
    this.clear()
  }
}
