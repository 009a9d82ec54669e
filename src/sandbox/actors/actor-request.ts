import type { AnnotationJson, PluginJson } from '../../world/world-json.ts'

/** A second actor: what it writes, and the moment at which it does. */
export interface ActorRequest {
  readonly after: ActorTrigger
  /** Carried out one after the other, in one go. */
  readonly steps: readonly ActorStep[]
}

/** After which requests: those of which all holds that is given. They count whatever was answered. */
export interface ActorTrigger {
  /** An operation id, such as `listAnnotations`. */
  readonly operation?: string
  /** In capitals; any of several. */
  readonly method?: string | readonly string[]
  /** `/api/projects/1/annotations`; a segment `*` or `:name` stands for any. */
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
  /** The how-manyth of them, from 1; 1 when missing. */
  readonly requests?: number
  /** Again after as many more, and so on; by default it writes once. */
  readonly every?: boolean
}

/** One write to a row. Ids of new rows, and the times of all, are given by the world. */
export type ActorStep =
  | { readonly create: 'annotations'; readonly row: AnnotationWrite }
  | {
      readonly update: 'annotations'
      readonly id: AnnotationReference
      readonly changes: AnnotationWrite
    }
  /** Sets `deleted`, as the service knows no other way. */
  | { readonly delete: 'annotations'; readonly id: AnnotationReference }
  | { readonly create: 'plugins'; readonly row: PluginWrite }
  | { readonly update: 'plugins'; readonly id: PluginReference; readonly changes: PluginWrite }
  /** For good, with its configurations. */
  | { readonly delete: 'plugins'; readonly id: PluginReference }

/** Fields of an annotation in the world format. */
export type AnnotationWrite = Partial<Omit<AnnotationJson, 'id' | 'created_at' | 'updated_at'>>

/** Fields of a plugin in the world format. */
export type PluginWrite = Partial<Omit<PluginJson, 'id' | 'revision'>>

/**
 * An id, or a position in the list that a project shows at that moment: from 0, or from the end with -1 for the
 * last. By default of the first project.
 */
export type AnnotationReference = number | { readonly at: number; readonly project?: number }

/** As RowPlace, in the list of an organization. */
export type PluginReference = number | { readonly at: number; readonly organization?: string }

/** A second actor as it is told of. */
export interface ActorInfo {
  readonly id: string
  readonly after: ActorTrigger & { readonly requests: number; readonly every: boolean }
  readonly steps: readonly ActorStep[]
  /** How often it has written. */
  readonly runs: number
  /** Matching requests until it writes next; null when it is done. */
  readonly remaining: number | null
  /** The latest steps that could not be carried out, ten at most. */
  readonly errors: readonly ActorError[]
  /** Why it can never write, as things are; null where it can. */
  readonly warning: string | null
}

/** A step that could not be carried out: those after it were. */
export interface ActorError {
  /** From 1 */
  readonly run: number
  /** Such as `steps[0]` */
  readonly step: string
  readonly message: string
}
