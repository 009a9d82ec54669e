import {
  anyJson,
  anyText,
  bool,
  integer,
  objectOf,
  orNone,
  type Shape,
  textOf,
} from '../fields/shape.ts'
import { type Parameter, pathText, rowId } from '../http/parameters.ts'
import type { Json } from '../world/rows.ts'

/** A plugin as it goes over the wire (the document, Plugin; nulls: observed §9.5). */
export interface Plugin {
  id: number
  /** local, custom, repository or source; also null or empty */
  plugin_type: string | null
  name: string | null
  description: string | null
  /** Without its query, which may hold a token */
  url: string | null
  icon: string | null
  /** A list of field objects, or an object of them by field */
  config_schema: Json
  tag: string | null
  latest_tag: string | null
  is_global: boolean
  /** UUID */
  organization_id: string
  organization_name: string
  /** `{}`, or lists of names: methods, jobs, scheduled_tasks */
  capabilities: Json
  /** Name to sum, max or min */
  metrics: Json
  /** Job name to `{ payload }` */
  public_jobs: Json
}

export const plugin: Shape<Plugin> = objectOf({
  id: integer,
  plugin_type: orNone(anyText),
  name: orNone(anyText),
  description: orNone(anyText),
  url: orNone(anyText),
  icon: orNone(anyText),
  config_schema: anyJson,
  tag: orNone(anyText),
  latest_tag: orNone(anyText),
  is_global: bool,
  organization_id: textOf('uuid'),
  organization_name: anyText,
  capabilities: anyJson,
  metrics: anyJson,
  public_jobs: anyJson,
})

/** `/api/organizations/:organization_id/plugins` */
export const inOrganization: { readonly organization_id: Parameter<string> } = {
  organization_id: pathText('Identifies the organization.'),
}

/** `/api/organizations/:organization_id/plugins/:id` */
export const oneInOrganization: typeof inOrganization & { readonly id: Parameter<number> } = {
  ...inOrganization,
  id: rowId('Identifies the plugin.'),
}
