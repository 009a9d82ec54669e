import type { Json } from '../rows.ts'

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
export interface PluginTemplate {
  readonly name: string
  readonly description: string
  readonly methods: readonly string[]
  readonly fields: readonly ConfigField[]
  readonly jobs?: readonly string[]
  readonly scheduled_tasks?: readonly string[]
  readonly metrics?: Readonly<Record<string, 'sum' | 'max' | 'min'>>
  readonly public_jobs?: { readonly [job: string]: Json }
}

const dateField = (title: string): Json => ({ type: 'date', title, required: true })
const apiKey: ConfigField = { key: 'api_key', name: 'API key', required: true, secret: true }

export const pluginTemplates: readonly PluginTemplate[] = [
  {
    name: 'Timestamp parser',
    description: 'Adds the day, the hour and the weekday to each event.',
    methods: ['processEvent'],
    fields: [],
  },
  {
    name: 'URL cleaner',
    description: 'Removes query parameters from the addresses of pages.',
    methods: ['processEvent'],
    fields: [
      { key: 'parameters', name: 'Parameters', default: 'utm_source,ref', hint: 'With commas' },
    ],
  },
  {
    name: 'Event sampler',
    description: 'Keeps a share of the events and drops the rest.',
    methods: ['processEvent', 'setupPlugin'],
    fields: [{ key: 'percentage', name: 'Percentage to keep', default: '100', required: true }],
    metrics: { dropped: 'sum' },
  },
  {
    name: 'Currency converter',
    description: 'Converts amounts to one currency, by the rates of the day.',
    methods: ['processEvent'],
    scheduled_tasks: ['runEveryDay'],
    fields: [
      apiKey,
      {
        key: 'currency',
        name: 'Currency',
        type: 'choice',
        choices: ['EUR', 'USD'],
        default: 'EUR',
      },
    ],
    metrics: { converted: 'sum' },
  },
  {
    name: 'Bucket export',
    description: 'Writes events to a storage bucket every few minutes.',
    methods: ['exportEvents', 'setupPlugin'],
    jobs: ['exportPastEvents'],
    scheduled_tasks: ['runEveryMinute'],
    fields: [
      { key: 'bucket', name: 'Bucket', required: true },
      { ...apiKey, key: 'access_key', name: 'Access key' },
      { key: 'region', name: 'Region', type: 'choice', choices: ['eu-1', 'us-1'], default: 'eu-1' },
    ],
    metrics: { uploaded: 'sum', largest_batch: 'max' },
    public_jobs: {
      'Export past events': {
        payload: { from: dateField('First day'), to: dateField('Last day') },
      },
    },
  },
  {
    name: 'Warehouse export',
    description: 'Sends events to a table of the data warehouse.',
    methods: ['onEvent', 'setupPlugin', 'teardownPlugin'],
    fields: [
      { key: 'host', name: 'Host', required: true },
      { key: 'table', name: 'Table', default: 'events' },
      { key: 'certificate', name: 'Certificate', type: 'attachment' },
    ],
    metrics: { rows: 'sum', slowest_insert: 'max' },
  },
  {
    name: 'Webhook notifier',
    description: 'Calls an address for each event of a name.',
    methods: ['composeWebhook'],
    fields: [
      { key: 'address', name: 'Address', required: true },
      { key: 'event', name: 'Event', default: 'order_completed' },
    ],
  },
  {
    name: 'Contact sync',
    description: 'Creates a contact for everyone who signs up.',
    methods: ['onEvent', 'getSettings'],
    fields: [apiKey, { key: 'fields', name: 'Field names', type: 'json', default: '{}' }],
    metrics: { created: 'sum', failed: 'sum' },
  },
  {
    name: 'Uptime check',
    description: 'Looks every hour whether a page answers, and sends an event.',
    methods: [],
    scheduled_tasks: ['runEveryHour'],
    fields: [{ key: 'page', name: 'Page', default: 'https://example.com/', required: true }],
    metrics: { fastest: 'min', slowest: 'max' },
  },
]
