import { type BodySchema, bodyOfFields } from '../fields/body.ts'
import { booleanField } from '../fields/boolean.ts'
import { type ChoiceValues, choiceField } from '../fields/choice.ts'
import { type Field, ignoredField, nullableField } from '../fields/field.ts'
import { jsonField } from '../fields/json.ts'
import { textField } from '../fields/text.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { maxLengths, pluginTypes } from '../world/known.ts'
import type { Json } from '../world/rows.ts'
import { isCapabilities, isConfigSchema, isMetrics, isPublicJobs } from './shapes.ts'

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

const pluginTypeChoices: Resolvable<ChoiceValues> = byPolicy('plugins.plugin_type.values', {
  observed: pluginTypes,
  with_inline: [...pluginTypes, 'inline'],
  any: 'any',
})

const configSchema = nullableField(
  jsonField({ policy: 'plugins.config_schema.structure', hasObservedShape: isConfigSchema }),
  (settings: PolicySettings) => settings['plugins.config_schema.null'] === 'accepted',
)
const capabilities = nullableField(
  jsonField({ policy: 'plugins.capabilities.structure', hasObservedShape: isCapabilities }),
  (settings: PolicySettings) => settings['plugins.capabilities.null'] === 'accepted',
)
// The document says of these two that they may be null, and so does the service.
const metrics = nullableField(
  jsonField({ policy: 'plugins.metrics.structure', hasObservedShape: isMetrics }),
  () => true,
)
const publicJobs = nullableField(
  jsonField({ policy: 'plugins.public_jobs.structure', hasObservedShape: isPublicJobs }),
  () => true,
)

const url: Resolvable<Field<string | null>> = byPolicy('plugins.create.install', {
  stored_as_given: ignoredField,
  from_url: nullableField(textField(maxLengths.plugin.url)),
})

const beforeUrl = {
  plugin_type: nullableField(choiceField(pluginTypeChoices)),
  name: nullableField(textField(maxLengths.plugin.name)),
  description: nullableField(textField()),
}
const afterUrl = {
  icon: nullableField(textField(maxLengths.plugin.icon)),
  config_schema: configSchema,
  tag: nullableField(textField(maxLengths.plugin.tag)),
  is_global: booleanField,
  capabilities,
  metrics,
  public_jobs: publicJobs,
}

export const pluginChanges: BodySchema<PluginChanges> = bodyOfFields({ ...beforeUrl, ...afterUrl })

export const newPlugin: BodySchema<NewPlugin> = bodyOfFields(
  { ...beforeUrl, url, ...afterUrl },
  byPolicy('plugins.create.required', { none: [], name: ['name'], url: ['url'] }),
)
