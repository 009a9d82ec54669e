import { type Body, bodyOf } from '../fields/body.ts'
import { boolean } from '../fields/boolean.ts'
import { type Choices, choice } from '../fields/choice.ts'
import { type Field, ignored, orNull } from '../fields/field.ts'
import { structured } from '../fields/json.ts'
import { text } from '../fields/text.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { lengths, pluginTypes } from '../world/known.ts'
import type { Json } from '../world/rows.ts'
import { areMetrics, arePublicJobs, isCapabilities, isConfigSchema } from './shapes.ts'

/** What a body may say of a plugin. */
export interface PluginChanges {
  plugin_type?: string | null
  name?: string | null
  description?: string | null
  icon?: string | null
  config_schema?: Json
  tag?: string | null
  is_global?: boolean
  capabilities?: Json
  metrics?: Json
  public_jobs?: Json
}

/** What a body may say of a new plugin: `url` is read only where plugins are installed from it (observed §5). */
export interface NewPlugin extends PluginChanges {
  url?: string | null
}

const types: Resolvable<Choices> = byPolicy('plugins.plugin_type.values', {
  observed: pluginTypes,
  with_inline: [...pluginTypes, 'inline'],
  any: 'any',
})

const configSchema = orNull(
  structured({ policy: 'plugins.config_schema.structure', hasObservedShape: isConfigSchema }),
  (settings: PolicySettings) => settings['plugins.config_schema.null'] === 'accepted',
)
const capabilities = orNull(
  structured({ policy: 'plugins.capabilities.structure', hasObservedShape: isCapabilities }),
  (settings: PolicySettings) => settings['plugins.capabilities.null'] === 'accepted',
)
// The document says of these two that they may be null, and so does the service.
const metrics = orNull(
  structured({ policy: 'plugins.metrics.structure', hasObservedShape: areMetrics }),
  () => true,
)
const publicJobs = orNull(
  structured({ policy: 'plugins.public_jobs.structure', hasObservedShape: arePublicJobs }),
  () => true,
)

const url: Resolvable<Field<string | null>> = byPolicy('plugins.create.install', {
  stored_as_given: ignored,
  from_url: orNull(text(lengths.plugin.url)),
})

const beforeUrl = {
  plugin_type: orNull(choice(types)),
  name: orNull(text(lengths.plugin.name)),
  description: orNull(text()),
}
const afterUrl = {
  icon: orNull(text(lengths.plugin.icon)),
  config_schema: configSchema,
  tag: orNull(text(lengths.plugin.tag)),
  is_global: boolean,
  capabilities,
  metrics,
  public_jobs: publicJobs,
}

export const pluginChanges: Body<PluginChanges> = bodyOf({ ...beforeUrl, ...afterUrl })

export const newPlugin: Body<NewPlugin> = bodyOf(
  { ...beforeUrl, url, ...afterUrl },
  byPolicy('plugins.create.required', { none: [], name: ['name'], url: ['url'] }),
)
