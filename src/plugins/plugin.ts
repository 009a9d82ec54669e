import {
  anyJson,
  anyText,
  bool,
  formattedText,
  integer,
  nullableShape,
  objectOf,
  type Shape,
} from '../fields/shape.ts'
import { integerIdParameter, type Parameter, pathParameter } from '../http/parameters.ts'
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

export const pluginShape: Shape<Plugin> = objectOf({
  id: integer,
  plugin_type: nullableShape(anyText),
  name: nullableShape(anyText),
  description: nullableShape(anyText),
  url: nullableShape(anyText),
  icon: nullableShape(anyText),
  config_schema: anyJson,
  tag: nullableShape(anyText),
  latest_tag: nullableShape(anyText),
  is_global: bool,
  organization_id: formattedText('uuid'),
  organization_name: anyText,
  capabilities: anyJson,
  metrics: anyJson,
  public_jobs: anyJson,
})

/** `/api/organizations/:organization_id/plugins` */
export const organizationParams: { readonly organization_id: Parameter<string> } = {
  organization_id: pathParameter('Identifies the organization.'),
}

/** `/api/organizations/:organization_id/plugins/:id` */
export const pluginParams: typeof organizationParams & { readonly id: Parameter<number> } = {
  ...organizationParams,
  id: integerIdParameter('Identifies the plugin.'),
}
