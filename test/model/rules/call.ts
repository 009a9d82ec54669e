import type { ApiRequest, Meaning } from '../request.ts'
import type { Key, Organization, Project, Rows, User } from '../rows.ts'
import type { Route } from './routes.ts'

/** `documented` follows the documentation, `live` what was seen of the service. */
export const profiles = ['documented', 'live'] as const
export type Profile = (typeof profiles)[number]

/** A request of a known path, on its way through the checks. */
export interface Call {
  readonly rows: Rows
  /** Whether the profile is `live`. */
  readonly live: boolean
  readonly request: ApiRequest
  /** HEAD counts as GET. */
  readonly method: string
  readonly route: Route
  /** The time of the response. */
  readonly now: string
  /** Reads the body, or refuses it. */
  readonly parse: () => Meaning
}

export interface Caller {
  readonly key: Key
  readonly user: User
}

/** What the path is about. */
export interface Parent {
  readonly project?: Project
  readonly organization?: Organization
}

/** A request that passed the checks of its key. */
export interface AnnotationCall extends Call, Caller {
  readonly project: Project
}

export interface PluginCall extends Call, Caller {
  readonly organization: Organization
}
