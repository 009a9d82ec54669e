import type { World } from '../../api/endpoints.ts'
import { findApiKey, type ProjectContext } from '../../http/authorize.ts'
import type { ApiError } from '../../http/failures.ts'
import { isEndpointEnabled, type ResolvedRoute } from '../../http/route.ts'
import { queryString } from '../../http/url.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { type ListName, type RowId, rowIdOf } from '../../world/table/lists.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { RowChange } from '../history/history.ts'
import { type DecisionSource, latestWrites, type PastRequest, positionOf } from './past-request.ts'
import type { JournalRecord } from './record.ts'
import { parseRequestBody } from './render-parts.ts'

/** A refused request that was answered again, with the rows of that time. */
export class Refusal {
  readonly record: JournalRecord
  readonly past: PastRequest
  readonly route: ResolvedRoute<World>
  /** The refusal in the usual format of the service, whatever the policies */
  readonly failure: ApiError
  readonly source: DecisionSource
  /** @returns `the key` and its label, if it has one */
  readonly keyName: (value: string) => string

  constructor(fields: Pick<Refusal, 'past' | 'route' | 'failure' | 'source' | 'keyName'>) {
    this.past = fields.past
    this.record = fields.past.record
    this.route = fields.route
    this.failure = fields.failure
    this.source = fields.source
    this.keyName = fields.keyName
  }

  get tables(): Tables {
    return this.past.tables
  }

  /** A header without white space around it; empty if it is missing. */
  header(name: string): string {
    return this.record.requestHeaders.get(name)?.trim() ?? ''
  }

  get query(): URLSearchParams {
    return new URLSearchParams(queryString(this.record.target))
  }

  get body(): unknown {
    return parseRequestBody(this.record)
  }

  /** The key that the request was sent with. */
  get key(): ReturnType<typeof findApiKey> {
    const { requestHeaders: headers, target, settings } = this.record
    return findApiKey({ headers, query: queryString(target) }, settings, () => this.body)
  }

  /** The methods that the path has: those that can succeed. */
  get pathMethods(): string {
    const { settings } = this.record
    return this.route.pathItem.endpoints
      .filter((each) => isEndpointEnabled(each, settings))
      .filter((each) => resolveByPolicy(each.status, settings) < 400)
      .map(({ method }) => method)
      .join(', ')
  }

  /** The project and organization of the path, or null if the key may not use them. */
  findContext(): ProjectContext | null {
    let context: ProjectContext | null = null
    this.past.answer({}, (route) => {
      const { checkPermission: _, find: __, ...endpoint } = route.endpoint
      const handle = (input: ProjectContext): undefined => {
        context = input
      }
      return { ...route, endpoint: { ...endpoint, params: {}, query: {}, body: null, handle } }
    })
    return context
  }

  /** Whether a row was removed before the request. */
  wasRemoved(list: ListName, id: RowId): boolean {
    const position = positionOf(this.record, this.source)
    const isOfRow = ({ list: other, before, after }: RowChange) =>
      other === list && rowIdOf(list, (before ?? after) as object) === id
    const last = [...latestWrites(this.source.history, position)].find(isOfRow)
    return last !== undefined && last.after === undefined
  }
}

/** @example quote('abc') // '`abc`' */
export function quote(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``
}
