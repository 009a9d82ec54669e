import type { Json, PluginVersion, SourceFiles } from '../rows.ts'
import type { RandomSource } from './dice.ts'
import type { PluginTemplate } from './plugin-ideas.ts'

interface ManifestFields {
  readonly name: Json
  readonly config: Json
}

/** @example nameOf(idea, dice) // 'Bucket export (EU)' */
export function drawPluginName({ name }: PluginTemplate, dice: RandomSource): string {
  return dice.chance(0.5) ? name : `${name} (${dice.pick(['EU', 'US', 'beta', 'staging', 'team'])})`
}

/** @example slugOf('Bucket export (EU)') // 'bucket-export-eu' */
export function slugify(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['plugin']
  return words.join('-')
}

/** The configuration fields of a plugin, by key, with everything that the service shows of a field. */
export function createConfigFields({ fields }: PluginTemplate): { [key: string]: Json } {
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
export function describeCapabilities({
  methods,
  jobs = [],
  scheduled_tasks = [],
}: PluginTemplate): Json {
  return { jobs: [...jobs], scheduled_tasks: [...scheduled_tasks], methods: [...methods] }
}

export function createPluginJson(
  idea: PluginTemplate,
  manifest: ManifestFields,
): PluginVersion['plugin_json'] {
  const { description, public_jobs = {} } = idea
  return { ...manifest, description, main: 'index.ts', publicJobs: public_jobs }
}

export function createSourceFiles(idea: PluginTemplate, manifest: ManifestFields): SourceFiles {
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
