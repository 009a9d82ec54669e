import type { Json, PluginVersion, SourceFiles } from '../rows.ts'
import { createTimestamps, randomMoment } from './dates.ts'
import { type PluginTemplate, pluginTemplates } from './plugin-templates.ts'
import type { RandomSource } from './random.ts'
import type { RowContext, RowDraft } from './row-context.ts'

const types = [
  { weight: 8, value: 'custom' },
  { weight: 6, value: 'repository' },
  { weight: 4, value: 'source' },
  { weight: 2, value: 'local' },
]

/** A plugin that does something; address, tags and source go with its type, the source with its name. */
export function draftPlugin(making: RowContext<'plugins'>): RowDraft<'plugins'> {
  const { overrides, id, related, random, position } = making
  const idea = random.pick(pluginTemplates)
  const drawn = random.pickWeighted(types).value
  const type = overrides.plugin_type === undefined ? drawn : overrides.plugin_type
  const name = overrides.name === undefined ? drawPluginName(idea, random) : overrides.name
  const slug = slugify(name ?? idea.name)
  const fields = createConfigFields(idea)
  const isList = random.chance(0.75)
  const config: Json = isList ? Object.values(fields) : fields
  const config_schema = overrides.config_schema === undefined ? config : overrides.config_schema
  return {
    plugin_type: type,
    name,
    description: idea.description,
    config_schema,
    organization: overrides.organization ?? related.choose('organizations', position).id,
    capabilities: random.chance(0.95) ? describeCapabilities(idea) : {},
    metrics: idea.metrics ?? {},
    public_jobs: idea.public_jobs ?? {},
    ...draftAddress(type, slug, id, making),
    source: type === 'source' ? createSourceFiles(idea, { name, config: config_schema }) : {},
  }
}

/** A catalogue entry of one version. */
export function draftRepositoryEntry(making: RowContext<'repository'>): RowDraft<'repository'> {
  const { overrides, id, random } = making
  const idea = random.pick(pluginTemplates)
  const name = overrides.name ?? drawPluginName(idea, random)
  const manifest = { name, config: Object.values(createConfigFields(idea)) }
  const plugin_json = createPluginJson(idea, manifest)
  const source = createSourceFiles(idea, manifest)
  return {
    name,
    url: githubUrl(slugify(name), id, making),
    description: idea.description,
    versions: [{ tag: `1.${random.integer(0, 9)}.${random.integer(0, 9)}`, plugin_json, source }],
  }
}

function draftAddress(
  type: string | null,
  slug: string,
  id: number,
  making: RowContext<'plugins'>,
): RowDraft<'plugins'> {
  const { overrides, random } = making
  const newTag = () =>
    type === 'repository' ? `1.${random.integer(0, 9)}.${random.integer(0, 9)}` : random.commitSha()
  const [tag, newer] = [newTag(), newTag()]
  if (type === 'source') return { url: null, tag: null, latest_tag: null }
  if (type === 'local')
    return { url: `file:/srv/plugins/${slug}-${id}`, tag: null, latest_tag: null }
  const latest = overrides.tag === undefined ? tag : overrides.tag
  return {
    url: githubUrl(slug, id, making),
    tag,
    latest_tag: random.chance(0.75) ? latest : newer,
  }
}

/** The service has no address twice, so the id is part of it. */
function githubUrl(
  slug: string,
  id: number,
  { random }: Pick<RowContext<'plugins'>, 'random'>,
): string {
  return `https://github.com/${random.word()}-${id}/${slug}`
}

/** A configuration of a plugin in a project of its organization, with a value for each of its fields. */
export function draftPluginConfig(
  making: RowContext<'plugin_configs'>,
): RowDraft<'plugin_configs'> {
  const { overrides, related, random, position } = making
  const usual = related.find('projects', overrides.project)?.organization
  const [fitting] = related.referencing('plugins', 'organizations', usual)
  const plugin =
    overrides.plugin === undefined
      ? (fitting ?? related.choose('plugins', position))
      : related.find('plugins', overrides.plugin)

  const projects = related.referencing('projects', 'organizations', plugin?.organization)
  const own = position ? random.pickOptional(projects) : projects[0]
  const project = overrides.project ?? (own ?? related.choose('projects', position)).id
  return {
    project,
    order: related.referencing('plugin_configs', 'projects', project).length + 1,
    config: drawConfig(plugin?.config_schema, random),
    ...(plugin && { plugin: plugin.id }),
    ...createTimestamps(overrides, making, randomMoment(making)),
  }
}

/** A schema is a list of fields, each with its key, or an object of fields by key (observed §5). */
function drawConfig(schema: Json | undefined, dice: RandomSource): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    return typeof key === 'string' ? [[key, drawConfigValue(field, dice)] as const] : []
  })
  return Object.fromEntries(fields)
}

function drawConfigValue(field: { [name: string]: Json }, dice: RandomSource): Json {
  if (field.secret === true) return dice.alphanumeric(20)
  if (field.type === 'attachment') return null
  if (Array.isArray(field.choices)) return dice.pickOptional(field.choices) ?? ''
  return field.default || dice.word()
}

interface ManifestFields {
  readonly name: Json
  readonly config: Json
}

/** @example nameOf(idea, dice) // 'Bucket export (EU)' */
function drawPluginName({ name }: PluginTemplate, dice: RandomSource): string {
  return dice.chance(0.5) ? name : `${name} (${dice.pick(['EU', 'US', 'beta', 'staging', 'team'])})`
}

/** @example slugOf('Bucket export (EU)') // 'bucket-export-eu' */
function slugify(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['plugin']
  return words.join('-')
}

/** The configuration fields of a plugin, by key, with everything that the service shows of a field. */
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

/** What analysing its code would find. */
function describeCapabilities({ methods, jobs = [], scheduled_tasks = [] }: PluginTemplate): Json {
  return { jobs: [...jobs], scheduled_tasks: [...scheduled_tasks], methods: [...methods] }
}

function createPluginJson(
  idea: PluginTemplate,
  manifest: ManifestFields,
): PluginVersion['plugin_json'] {
  const { description, public_jobs = {} } = idea
  return { ...manifest, description, main: 'index.ts', publicJobs: public_jobs }
}

function createSourceFiles(idea: PluginTemplate, manifest: ManifestFields): SourceFiles {
  return {
    'plugin.json': JSON.stringify(createPluginJson(idea, manifest), null, 2),
    'index.ts': createCode(idea),
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
