import type { Json } from '../rows.ts'
import type { RowContext, RowDraft } from './making.ts'
import { pluginTemplates } from './plugin-ideas.ts'
import {
  createConfigFields,
  createPluginJson,
  createSourceFiles,
  describeCapabilities,
  drawPluginName,
  slugify,
} from './plugin-parts.ts'

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
