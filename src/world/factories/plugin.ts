import type { Json } from '../rows.ts'
import type { Draft, Making } from './making.ts'
import { pluginIdeas } from './plugin-ideas.ts'
import { capabilitiesOf, fieldsOf, nameOf, pluginJsonOf, slugOf, sourceOf } from './plugin-parts.ts'

const types = [
  { weight: 8, value: 'custom' },
  { weight: 6, value: 'repository' },
  { weight: 4, value: 'source' },
  { weight: 2, value: 'local' },
]

/** A plugin that does something; address, tags and source go with its type, the source with its name. */
export function draftPlugin(making: Making<'plugins'>): Draft<'plugins'> {
  const { given, id, places, dice, part } = making
  const idea = dice.pick(pluginIdeas)
  const drawn = dice.weigh(types).value
  const type = given.plugin_type === undefined ? drawn : given.plugin_type
  const name = given.name === undefined ? nameOf(idea, dice) : given.name
  const slug = slugOf(name ?? idea.name)
  const fields = fieldsOf(idea)
  const isList = dice.odds(0.75)
  const config: Json = isList ? Object.values(fields) : fields
  const config_schema = given.config_schema === undefined ? config : given.config_schema
  return {
    plugin_type: type,
    name,
    description: idea.description,
    config_schema,
    organization: given.organization ?? places.one('organizations', part).id,
    capabilities: dice.odds(0.95) ? capabilitiesOf(idea) : {},
    metrics: idea.metrics ?? {},
    public_jobs: idea.public_jobs ?? {},
    ...addressOf(type, slug, id, making),
    source: type === 'source' ? sourceOf(idea, { name, config: config_schema }) : {},
  }
}

/** A catalogue entry of one version. */
export function draftRepositoryEntry(making: Making<'repository'>): Draft<'repository'> {
  const { given, id, dice } = making
  const idea = dice.pick(pluginIdeas)
  const name = given.name ?? nameOf(idea, dice)
  const manifest = { name, config: Object.values(fieldsOf(idea)) }
  const plugin_json = pluginJsonOf(idea, manifest)
  const source = sourceOf(idea, manifest)
  return {
    name,
    url: githubUrl(slugOf(name), id, making),
    description: idea.description,
    versions: [{ tag: `1.${dice.whole(0, 9)}.${dice.whole(0, 9)}`, plugin_json, source }],
  }
}

function addressOf(
  type: string | null,
  slug: string,
  id: number,
  making: Making<'plugins'>,
): Draft<'plugins'> {
  const { given, dice } = making
  const newTag = () =>
    type === 'repository' ? `1.${dice.whole(0, 9)}.${dice.whole(0, 9)}` : dice.commit()
  const [tag, newer] = [newTag(), newTag()]
  if (type === 'source') return { url: null, tag: null, latest_tag: null }
  if (type === 'local')
    return { url: `file:/srv/plugins/${slug}-${id}`, tag: null, latest_tag: null }
  const latest = given.tag === undefined ? tag : given.tag
  return {
    url: githubUrl(slug, id, making),
    tag,
    latest_tag: dice.odds(0.75) ? latest : newer,
  }
}

/** The service has no address twice, so the id is part of it. */
function githubUrl(slug: string, id: number, { dice }: Pick<Making<'plugins'>, 'dice'>): string {
  return `https://github.com/${dice.word()}-${id}/${slug}`
}
