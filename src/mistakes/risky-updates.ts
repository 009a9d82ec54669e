import { isSameJson } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { type ClientRequest, isOverlapping } from './client-request.ts'
import { isDeletion } from './creates.ts'
import { type Breach, type ClientRule, readInSource, seenInFramework, type Watch } from './rule.ts'

export const overlappingUpdates: ClientRule = {
  id: 'overlapping-updates',
  sentence:
    'A client sent an update of a row before its last one had the response, with another value of the same field. Which of them the API carries out last is chance.',
  cure: 'Send the next update of a row when the last one has its response, with the latest values.',
  level: 'warning',
  ...seenInFramework,
}

export const movedRow: ClientRule = {
  id: 'moved-row',
  sentence:
    'A PATCH through the path of another project moved an annotation of the whole organization there, and did not delete it. The response does not say so.',
  cure: 'Change annotations of the whole organization through the path of one project. No response says to which project they belong.',
  level: 'note',
  ...readInSource,
}

/** Finds updates that do more, or less, than their client can know. */
export class RiskyUpdates implements Watch {
  /** By client and path: the latest update */
  readonly #latest = new LatestMap<string, ClientRequest>()
  readonly #found: Breach[] = []

  see(request: ClientRequest): void {
    const { client, verb, status } = request
    if ((verb !== 'update' && verb !== 'replace') || status !== 200) return
    const name = `${client} ${request.path}`
    const last = this.#latest.get(name)
    this.#latest.set(name, request)
    const fields = last && isOverlapping(last, request) ? otherValues(last, request) : []
    if (last && fields.length > 0) {
      const message = `The client sent two updates of ${request.row?.title} at once, with two values of ${fields.join(', ')}.`
      this.#report({ rule: overlappingUpdates, message, requests: [last, request] })
    }
    for (const change of request.changes) {
      const { project } = change.fields
      if (change.kind !== 'changed' || !project || isDeletion(change)) continue
      const message = `The ${request.record.method} moved annotation ${change.id} from project ${project[0]} to ${project[1]}.`
      this.#report({ rule: movedRow, subject: client, message, requests: [request] })
    }
  }

  breaches(): readonly Breach[] {
    return this.#found
  }

  #report(breach: Breach): void {
    if (this.#found.length < maxFound) this.#found.push(breach)
  }
}

const maxFound = 1_000

/** The fields that two updates set to two values. */
function otherValues(a: ClientRequest, b: ClientRequest): string[] {
  const [first, second] = [Object(a.sent), Object(b.sent)]
  return Object.keys(first).filter(
    (name) => Object.hasOwn(second, name) && !isSameJson(first[name], second[name]),
  )
}
