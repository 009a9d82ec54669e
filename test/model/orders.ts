import type { Model } from './model.ts'
import type { ApiRequest, ApiResponse } from './request.ts'
import {
  type ComparedState,
  differenceOf,
  differenceOfStates,
  showRequest,
  showResponse,
} from './show.ts'

/** A request of one of several clients, and its response. */
export interface Exchange {
  readonly request: ApiRequest
  readonly response: ApiResponse
}

/**
 * Finds an order in which the model gives each of some concurrent requests its response, and ends in the same state.
 *
 * @returns the model after that order
 * @throws Error with the difference of each order that was tried, if there is none
 */
export function explain(
  model: Model,
  exchanges: readonly Exchange[],
  world: string,
  state: ComparedState,
): Model {
  const differences = new Set<string>()
  for (const order of permutations(exchanges)) {
    const tried = model.copy()
    const difference =
      firstDifference(tried, order) ?? differenceOfStates(tried.state(world), state, world)
    if (difference === null) return tried
    differences.add(difference)
  }
  const sent = exchanges.map(
    ({ request, response }) => `${showRequest(request)}\n→ ${showResponse(response)}`,
  )
  throw new Error(
    `No order of these requests explains their responses and the state:\n${sent.join('\n')}\n${[...differences].join('\n')}`,
  )
}

function firstDifference(tried: Model, order: readonly Exchange[]): string | null {
  for (const { request, response } of order) {
    const difference = differenceOf(tried.send(request), response)
    if (difference !== null) return `${request.method} ${request.path}: ${difference}`
  }
  return null
}

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield []
  for (const item of items) {
    for (const rest of permutations(items.filter((other) => other !== item))) yield [item, ...rest]
  }
}
