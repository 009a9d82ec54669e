import type { World } from '../../api/endpoints.ts'
import { findRoute } from '../../api/find-route.ts'
import type { Failure } from '../../http/failures.ts'
import { isEndpointEnabled, type ResolvedRoute } from '../../http/route.ts'
import { resolveBySetting } from '../../settings/by-setting.ts'
import { parseInteger } from '../../utils/python/text.ts'
import type { Tables } from '../../world/tables.ts'
import type { JournalRecord } from './journal.ts'
import type { DecisionSource } from './past-request.ts'
import { findSentKey } from './render-parts.ts'

/** A refused request, and what its sentence depends on besides the reason. */
export class Refusal {
  readonly record: JournalRecord
  readonly failure: Failure
  readonly source: DecisionSource
  /** Returns `the key`, and its label if it has one. */
  readonly nameOf: (key: string) => string
  readonly route: ResolvedRoute<World> | null

  constructor({
    record,
    failure,
    source,
    nameOf,
  }: Pick<Refusal, 'record' | 'failure' | 'source' | 'nameOf'>) {
    this.record = record
    this.failure = failure
    this.source = source
    this.nameOf = nameOf
    this.route = findRoute(record, record.settings)
  }

  /** A header without white space around it; empty if it is missing. */
  readonly header = (name: string): string => this.record.requestHeaders.get(name)?.trim() ?? ''

  /** The key that the request was sent with. */
  get sentKey(): NonNullable<ReturnType<typeof findSentKey>> {
    return findSentKey(this.record) ?? { value: '', location: 'Authorization header' }
  }

  get key(): string {
    return this.sentKey.value
  }

  /** The rows before the request, or the current ones if they are no longer known. */
  get tables(): Tables {
    const { record, source } = this
    return (source.changes.worldAt(record.place, source.loaded) ?? source.loaded).tables
  }

  /** Names a project by its id, and an organization by its name. */
  readonly nameParent = (id: number | string): string => {
    if (typeof id === 'number') return `project ${id}`
    return `organization ${this.tables.organizations.get(id)?.name ?? id}`
  }

  /** The kind of the rows that the path leads to. */
  get kind(): 'annotation' | 'plugin' {
    return this.route?.params.project_id === undefined ? 'plugin' : 'annotation'
  }

  get rowId(): number {
    return parseInteger(this.route?.params.id ?? '') ?? 0
  }

  /** The methods of the path that can succeed. */
  get methods(): string {
    const { settings } = this.record
    return (this.route?.pathItem.endpoints ?? [])
      .filter((each) => isEndpointEnabled(each, settings))
      .filter((each) => resolveBySetting(each.status, settings) < 400)
      .map(({ method }) => method)
      .join(', ')
  }
}
