import type { Json, PluginVersion } from '../rows.ts'

/** The purpose of a generated plugin, and what it can do. */
export interface PluginTemplate {
  readonly name: string
  readonly description: string
  /** The functions of its code */
  readonly methods: readonly string[]
  readonly config: Json
  readonly public_jobs: { readonly [job: string]: Json | undefined }
}

/** A plugin without a configuration, two with one, and one with a job. */
export const pluginTemplates: readonly PluginTemplate[] = [
  {
    name: 'Timestamp parser',
    description: 'Adds the day, the hour and the weekday to each event.',
    methods: ['processEvent'],
    config: [],
    public_jobs: {},
  },
  {
    name: 'URL cleaner',
    description: 'Removes query parameters from the addresses of pages.',
    methods: ['processEvent'],
    config: { parameters: configField('parameters', 'Parameters', { default: 'utm_source,ref' }) },
    public_jobs: {},
  },
  {
    name: 'Bucket export',
    description: 'Writes events to a storage bucket.',
    methods: ['setupPlugin', 'exportEvents'],
    config: [
      configField('bucket', 'Bucket', { required: true }),
      configField('access_key', 'Access key', { required: true, secret: true }),
      configField('region', 'Region', { type: 'choice', choices: ['eu-1', 'us-1'] }),
    ],
    public_jobs: {},
  },
  {
    name: 'Event import',
    description: 'Imports earlier events from a file.',
    methods: ['processEvent'],
    config: [configField('address', 'Address of the file', { required: true })],
    public_jobs: { 'Import events': { payload: {} } },
  },
]

/** The files of a plugin, as far as a template has them: its plugin.json and its code. */
export function filesOf(
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

/** A field of a configuration, with all properties of the service. */
function configField(
  key: string,
  name: string,
  more: { readonly [name: string]: Json | undefined },
): Json {
  const usual = { type: 'string', default: '', hint: '', required: false, secret: false }
  return { key, name, ...usual, ...more }
}
