import type { Json, PluginVersion } from '../rows.ts'
import { createTimestamps, randomMoment } from './dates.ts'
import { type PluginTemplate, pluginTemplates } from './plugin-templates.ts'
import { pickOptional, type RowContext, type RowDraft } from './row-context.ts'

/** A plugin of a template. Its URL, tags and source match its type and name. */
export function draftPlugin(context: RowContext<'plugins'>): RowDraft<'plugins'> {
  const { overrides, id, related, fake, index } = context
  const template = fake.helpers.arrayElement(pluginTemplates)
  const drawn = fake.helpers.arrayElement(['custom', 'repository', 'source', 'local'])
  const type = overrides.plugin_type === undefined ? drawn : overrides.plugin_type
  const name = overrides.name === undefined ? drawName(template, context) : overrides.name
  const config_schema = overrides.config_schema ?? template.config
  const tag = overrides.tag ?? overrides.latest_tag ?? drawTag(type, context)
  const latest_tag = fake.datatype.boolean(0.75) ? tag : drawNewerTag(type, tag, context)
  const isInstalled = type !== 'source' && type !== 'local'
  return {
    plugin_type: type,
    name,
    description: template.description,
    url: type === 'source' ? null : pluginUrl(type, name ?? template.name, id),
    config_schema,
    tag: isInstalled ? tag : null,
    latest_tag: isInstalled ? latest_tag : null,
    organization: overrides.organization ?? related.choose('organizations', index).id,
    capabilities: { jobs: [], scheduled_tasks: [], methods: [...template.methods] },
    public_jobs: template.public_jobs,
    source: type === 'source' ? createVersion(template, name, config_schema).source : {},
  }
}

/** A plugin of the catalogue, with one version. */
export function draftRepositoryEntry(context: RowContext<'repository'>): RowDraft<'repository'> {
  const template = context.fake.helpers.arrayElement(pluginTemplates)
  const name = context.overrides.name ?? drawName(template, context)
  const tag = drawTag('repository', context)
  return {
    name,
    url: pluginUrl('repository', name, context.id),
    description: template.description,
    versions: [{ tag, ...createVersion(template, name, template.config) }],
  }
}

/** @example drawName(template, context) // 'Bucket export (DE)' */
function drawName({ name }: PluginTemplate, { fake }: Pick<RowContext, 'fake'>): string {
  return `${name} (${fake.location.countryCode()})`
}

function drawTag(type: string | null, { fake }: Pick<RowContext, 'fake'>): string {
  return type === 'repository' ? fake.system.semver() : fake.git.commitSha({ length: 7 })
}

/** A version with the next first number, or another commit. */
function drawNewerTag(type: string | null, tag: string, context: Pick<RowContext, 'fake'>): string {
  if (type !== 'repository') return drawTag(type, context)
  return tag.replace(/\d+/, (number) => String(Number(number) + 1))
}

/** The URL contains the id, because the URLs of plugins are unique. */
function pluginUrl(type: string | null, name: string, id: number): string {
  const slug = (name.toLowerCase().match(/[a-z0-9]+/g) ?? ['plugin']).join('-')
  return type === 'local'
    ? `file:/srv/plugins/${id}/${slug}`
    : `https://github.com/acme-${id}/${slug}`
}

function createVersion(
  { description, public_jobs, methods }: PluginTemplate,
  name: string | null,
  config: Json,
): Omit<PluginVersion, 'tag'> {
  const plugin_json = { name, description, main: 'index.ts', config, publicJobs: public_jobs }
  const code = methods.map((method) => `export function ${method}(event) {\n  return event\n}\n`)
  return {
    plugin_json,
    source: { 'plugin.json': JSON.stringify(plugin_json, null, 2), 'index.ts': code.join('\n') },
  }
}

/** A configuration of a plugin in a project of its organization, with a value for each field. */
export function draftPluginConfig(
  context: RowContext<'plugin_configs'>,
): RowDraft<'plugin_configs'> {
  const { overrides, related, fake, index } = context
  const organization = related.find('projects', overrides.project)?.organization
  const [own] = related.referencing('plugins', 'organizations', organization)
  const plugin =
    overrides.plugin === undefined
      ? (own ?? related.choose('plugins', index))
      : related.find('plugins', overrides.plugin)
  const projects = related.referencing('projects', 'organizations', plugin?.organization)
  const fitting = index === undefined ? projects[0] : pickOptional(fake, projects)
  const project = overrides.project ?? (fitting ?? related.choose('projects', index)).id
  return {
    project,
    order: related.referencing('plugin_configs', 'projects', project).length + 1,
    config: drawConfig(plugin?.config_schema, context),
    ...(plugin && { plugin: plugin.id }),
    ...createTimestamps(overrides, context, randomMoment(context)),
  }
}

/** Seen in the live service: a schema is a list of fields with keys, or an object of fields by key. */
function drawConfig(
  schema: Json | undefined,
  { fake }: Pick<RowContext, 'fake'>,
): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]): [string, Json][] => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    const { choices, default: usual } = field
    const value = Array.isArray(choices) ? pickOptional(fake, choices) : usual
    return typeof key === 'string' ? [[key, value || fake.string.alphanumeric(20)]] : []
  })
  return Object.fromEntries(fields)
}
