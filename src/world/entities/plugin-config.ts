import type { Json } from '../../utils/json.ts'
import { defineEntity, type FieldTable } from './field.ts'

/** The configuration of a plugin in a project. */
export interface PluginConfigRow {
  readonly id: number
  /** The id of a plugin. */
  readonly plugin: number
  /** The id of a project. */
  readonly project: number
  /** A plugin without an enabled configuration is unused. */
  readonly enabled: boolean
  readonly order: number
  readonly config: { [key: string]: Json | undefined }
  readonly name: string | null
  readonly description: string | null
  readonly deleted: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const pluginConfig = defineEntity({
  id: { kind: 'id' },
  plugin: { kind: 'reference', list: 'plugins' },
  project: { kind: 'reference', list: 'projects' },
  enabled: { kind: 'flag', usual: true },
  order: { kind: 'integer', usual: 1 },
  config: { kind: 'object', usual: {} },
  name: { kind: 'text', nullable: true, inFiles: 'maybe', usual: null },
  description: { kind: 'text', nullable: true, inFiles: 'maybe', usual: null },
  deleted: { kind: 'flag', inFiles: 'maybe', usual: false },
  created_at: { kind: 'time', inFiles: 'maybe', usual: '2024-01-01T00:00:00Z' },
  updated_at: { kind: 'time', inFiles: 'maybe', usual: ({ created_at }) => created_at },
} satisfies FieldTable<PluginConfigRow>)
