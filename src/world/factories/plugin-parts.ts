import type { Json, PluginVersion, SourceFiles } from '../rows.ts'
import type { Dice } from './dice.ts'
import type { PluginIdea } from './plugin-ideas.ts'

interface Manifest {
  readonly name: Json
  readonly config: Json
}

/** @example nameOf(idea, dice) // 'Bucket export (EU)' */
export function nameOf({ name }: PluginIdea, dice: Dice): string {
  return dice.odds(0.5) ? name : `${name} (${dice.pick(['EU', 'US', 'beta', 'staging', 'team'])})`
}

/** @example slugOf('Bucket export (EU)') // 'bucket-export-eu' */
export function slugOf(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['plugin']
  return words.join('-')
}

/** The configuration fields of a plugin, by key, with everything that the service shows of a field. */
export function fieldsOf({ fields }: PluginIdea): { [key: string]: Json } {
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
export function capabilitiesOf({ methods, jobs = [], scheduled_tasks = [] }: PluginIdea): Json {
  return { jobs: [...jobs], scheduled_tasks: [...scheduled_tasks], methods: [...methods] }
}

export function pluginJsonOf(idea: PluginIdea, manifest: Manifest): PluginVersion['plugin_json'] {
  const { description, public_jobs = {} } = idea
  return { ...manifest, description, main: 'index.ts', publicJobs: public_jobs }
}

export function sourceOf(idea: PluginIdea, manifest: Manifest): SourceFiles {
  return {
    'plugin.json': JSON.stringify(pluginJsonOf(idea, manifest), null, 2),
    'index.ts': codeOf(idea),
  }
}

function codeOf({ methods, jobs = [], scheduled_tasks = [] }: PluginIdea): string {
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
