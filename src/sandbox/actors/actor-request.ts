import type { AnnotationJson, PluginJson } from '../../world/world-json.ts'
import type { RequestPattern } from '../request-pattern.ts'

/** A second actor: what it writes, and after which requests. */
export interface ActorRequest {
  readonly after: ActorTrigger
  /** Run one after the other, without a request in between. */
  readonly steps: readonly ActorStep[]
}

/** The requests that trigger a second actor, whatever their responses. A request must match all fields that are set. */
export interface ActorTrigger extends RequestPattern {
  /** Writes after this many matching requests. Defaults to 1. */
  readonly requests?: number
  /** Whether to write again after each further `requests` requests. By default it writes once. */
  readonly every?: boolean
}

/** A write to a row. The world sets the ids of new rows and the times. */
export type ActorStep =
  | { readonly create: 'annotations'; readonly row: AnnotationWrite }
  | {
      readonly update: 'annotations'
      readonly id: AnnotationReference
      readonly changes: AnnotationWrite
    }
  /** Sets the field `deleted`. The service has no other way to delete an annotation. */
  | { readonly delete: 'annotations'; readonly id: AnnotationReference }
  | { readonly create: 'plugins'; readonly row: PluginWrite }
  | { readonly update: 'plugins'; readonly id: PluginReference; readonly changes: PluginWrite }
  /** Removes the plugin and its configurations. */
  | { readonly delete: 'plugins'; readonly id: PluginReference }

/** Fields of an annotation in the world format. */
export type AnnotationWrite = Partial<Omit<AnnotationJson, 'id' | 'created_at' | 'updated_at'>>

/** Fields of a plugin in the world format. */
export type PluginWrite = Partial<Omit<PluginJson, 'id' | 'revision'>>

/**
 * An id, or a position in the list that a project shows when the step runs. Positions count from 0, or from the end
 * with -1 for the last row. The project defaults to the first one.
 */
export type AnnotationReference = number | { readonly at: number; readonly project?: number }

/**
 * An id, or a position in the list that an organization shows. The organization defaults to that of the first project.
 */
export type PluginReference = number | { readonly at: number; readonly organization?: string }

/** A second actor as it is listed. */
export interface ActorInfo {
  readonly id: string
  readonly after: ActorTrigger & { readonly requests: number; readonly every: boolean }
  readonly steps: readonly ActorStep[]
  /** How many times it ran. */
  readonly runs: number
  /** Matching requests until the next run, or null if it is done. */
  readonly remaining: number | null
  /** The latest failed steps, at most ten. */
  readonly errors: readonly ActorError[]
  /** Why it can never run, or null. */
  readonly warning: string | null
}

/** A failed step. The steps after it still ran. */
export interface ActorError {
  /** The number of the run, from 1 */
  readonly run: number
  /** Such as `steps[0]` */
  readonly step: string
  readonly message: string
}
