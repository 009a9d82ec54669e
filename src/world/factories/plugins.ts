import type { Json, PluginVersion, SourceFiles } from '../rows.ts'
import { createTimestamps, randomMoment } from './dates.ts'
import templates from './plugin-templates.json' with { type: 'json' }
import type { RandomSource, RowContext, RowDraft } from './row-context.ts'

interface ConfigField {
  readonly key: string
  readonly name: string
  readonly type?: 'string' | 'choice' | 'attachment' | 'json'
  readonly default?: string
  readonly hint?: string
  readonly required?: boolean
  readonly secret?: boolean
  readonly choices?: readonly string[]
}

/** The purpose and the capabilities of a generated plugin. */
interface PluginTemplate {
  readonly name: string
  readonly description: string
  readonly methods: readonly string[]
  readonly fields: readonly ConfigField[]
  readonly jobs?: readonly string[]
  readonly scheduled_tasks?: readonly string[]
  readonly metrics?: Readonly<Record<string, 'sum' | 'max' | 'min'>>
  readonly public_jobs?: { readonly [job: string]: Json }
}

const pluginTemplates = templates as readonly PluginTemplate[]

const types = [
  { weight: 8, value: 'custom' },
  { weight: 6, value: 'repository' },
  { weight: 4, value: 'source' },
  { weight: 2, value: 'local' },
]

/** A plugin of a template. Its URL, tags and source match its type and name. */
export function draftPlugin(context: RowContext<'plugins'>): RowDraft<'plugins'> {
  const { overrides, id, related, random, position } = context
  const template = random.pick(pluginTemplates)
  const randomType = random.pickWeighted(types).value
  const type = overrides.plugin_type === undefined ? randomType : overrides.plugin_type
  const name = overrides.name === undefined ? drawPluginName(template, random) : overrides.name
  const slug = slugify(name ?? template.name)
  const fields = createConfigFields(template)
  const config: Json = random.chance(0.75) ? Object.values(fields) : fields
  const config_schema = overrides.config_schema === undefined ? config : overrides.config_schema
  return {
    plugin_type: type,
    name,
    description: template.description,
    config_schema,
    organization: overrides.organization ?? related.choose('organizations', position).id,
    capabilities: random.chance(0.95) ? describeCapabilities(template) : {},
    metrics: template.metrics ?? {},
    public_jobs: template.public_jobs ?? {},
    ...draftUrlAndTags(type, slug, id, context),
    source: type === 'source' ? createSourceFiles(template, { name, config: config_schema }) : {},
  }
}

export function draftRepositoryEntry(context: RowContext<'repository'>): RowDraft<'repository'> {
  const { overrides, id, random } = context
  const template = random.pick(pluginTemplates)
  const name = overrides.name ?? drawPluginName(template, random)
  const manifest = { name, config: Object.values(createConfigFields(template)) }
  const plugin_json = createPluginJson(template, manifest)
  const source = createSourceFiles(template, manifest)
  return {
    name,
    url: githubUrl(slugify(name), id, context),
    description: template.description,
    versions: [{ tag: `1.${random.integer(0, 9)}.${random.integer(0, 9)}`, plugin_json, source }],
  }
}

function draftUrlAndTags(
  type: string | null,
  slug: string,
  id: number,
  context: RowContext<'plugins'>,
): RowDraft<'plugins'> {
  const { overrides, random } = context
  const isVersioned = type === 'repository'
  const drawn = isVersioned
    ? `1.${random.integer(0, 9)}.${random.integer(0, 9)}`
    : random.commitSha()
  const tag = overrides.tag ?? overrides.latest_tag ?? drawn
  if (type === 'source') return { url: null, tag: null, latest_tag: null }
  if (type === 'local')
    return { url: `file:/srv/plugins/${slug}-${id}`, tag: null, latest_tag: null }
  const newer = isVersioned ? laterVersion(tag, random) : random.commitSha()
  const latest_tag = random.chance(0.75) ? (overrides.tag === null ? null : tag) : newer
  return { url: githubUrl(slug, id, context), tag, latest_tag }
}

/** @example laterVersion('1.9.0', random) // '1.11.4' */
function laterVersion(tag: string, random: RandomSource): string {
  const minor = random.integer(1, 3)
  const patch = random.integer(0, 9)
  return tag.replace(/^(\d+)\.(\d+)\..*$/, (_, first, second) =>
    [first, Number(second) + minor, patch].join('.'),
  )
}

/** The URL contains the id, because the URLs of plugins are unique. */
function githubUrl(
  slug: string,
  id: number,
  { random }: Pick<RowContext<'plugins'>, 'random'>,
): string {
  return `https://github.com/${random.word()}-${id}/${slug}`
}

/** A configuration of a plugin in a project of its organization, with a value for each field. */
export function draftPluginConfig(
  context: RowContext<'plugin_configs'>,
): RowDraft<'plugin_configs'> {
  const { overrides, related, random, position } = context
  const organization = related.find('projects', overrides.project)?.organization
  const [own] = related.referencing('plugins', 'organizations', organization)
  const plugin =
    overrides.plugin === undefined
      ? (own ?? related.choose('plugins', position))
      : related.find('plugins', overrides.plugin)

  const projects = related.referencing('projects', 'organizations', plugin?.organization)
  const fitting = position ? random.pickOptional(projects) : projects[0]
  const project = overrides.project ?? (fitting ?? related.choose('projects', position)).id
  return {
    project,
    order: related.referencing('plugin_configs', 'projects', project).length + 1,
    config: drawConfig(plugin?.config_schema, random),
    ...(plugin && { plugin: plugin.id }),
    ...createTimestamps(overrides, context, randomMoment(context)),
  }
}

/** Seen in the live service: a schema is a list of fields with keys, or an object of fields by key. */
function drawConfig(schema: Json | undefined, random: RandomSource): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    return typeof key === 'string' ? [[key, drawConfigValue(field, random)] as const] : []
  })
  return Object.fromEntries(fields)
}

function drawConfigValue(field: { [name: string]: Json }, random: RandomSource): Json {
  if (field.secret === true) return random.fake.string.alphanumeric(20)
  if (field.type === 'attachment') return null
  if (Array.isArray(field.choices)) return random.pickOptional(field.choices) ?? ''
  return field.default || random.word()
}

interface ManifestFields {
  readonly name: Json
  readonly config: Json
}

/** @example drawPluginName(template, random) // 'Bucket export (EU)' */
function drawPluginName({ name }: PluginTemplate, random: RandomSource): string {
  return random.chance(0.5)
    ? name
    : `${name} (${random.pick(['EU', 'US', 'beta', 'staging', 'team'])})`
}

/** @example slugify('Bucket export (EU)') // 'bucket-export-eu' */
function slugify(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['plugin']
  return words.join('-')
}

/** The configuration fields of a plugin, by key, with all properties of the service. */
function createConfigFields({ fields }: PluginTemplate): { [key: string]: Json } {
  return Object.fromEntries(
    fields.map(({ key, name, type = 'string', choices, ...rest }, index) => [
      key,
      {
        key,
        name,
        type,
        default: '',
        hint: '',
        required: false,
        secret: false,
        order: index + 1,
        ...rest,
        ...(choices && { choices: [...choices] }),
      },
    ]),
  )
}

function describeCapabilities({ methods, jobs = [], scheduled_tasks = [] }: PluginTemplate): Json {
  return { jobs: [...jobs], scheduled_tasks: [...scheduled_tasks], methods: [...methods] }
}

function createPluginJson(
  template: PluginTemplate,
  manifest: ManifestFields,
): PluginVersion['plugin_json'] {
  const { description, public_jobs = {} } = template
  return { ...manifest, description, main: 'index.ts', publicJobs: public_jobs }
}

function createSourceFiles(template: PluginTemplate, manifest: ManifestFields): SourceFiles {
  return {
    'plugin.json': JSON.stringify(createPluginJson(template, manifest), null, 2),
    'index.ts': createCode(template),
  }
}

function createCode({ methods, jobs = [], scheduled_tasks = [] }: PluginTemplate): string {
  const functions = [...methods, ...scheduled_tasks].map((name) =>
    name === 'processEvent'
      ? 'export function processEvent(event) {\n  return event\n}\n'
      : `export async function ${name}() {}\n`,
  )
  if (jobs.length > 0) {
    functions.push(`export const jobs = { ${jobs.map((job) => `async ${job}() {}`).join(', ')} }\n`)
  }
  return functions.join('\n')
}
