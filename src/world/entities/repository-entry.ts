import type { Json } from '../../utils/json.ts'
import { defineEntity, type FieldTable } from './field.ts'
import type { SourceFiles } from './plugin.ts'

/** A version of a catalogue entry. */
export interface PluginVersion {
  readonly tag: string
  /** The content of its plugin.json */
  readonly plugin_json: { [key: string]: Json | undefined }
  readonly source: SourceFiles
}

/** An entry of the catalogue. Plugins are installed from it. */
export interface RepositoryRow {
  /** Position in the catalogue, from 1 */
  readonly id: number
  readonly name: string
  readonly url: string
  readonly description: string
  readonly verified: boolean
  readonly maintainer: string
  readonly icon?: string
  readonly displayOnWebsiteLib?: boolean
  readonly type?: string
  readonly imageLink?: string
  /** Oldest first. The last version is the newest. */
  readonly versions: readonly PluginVersion[]
}

export const repositoryEntry = defineEntity({
  id: { kind: 'id', inFiles: 'never', usual: (_, { index }) => index + 1, sent: false },
  name: { kind: 'text' },
  url: { kind: 'text' },
  description: { kind: 'text' },
  verified: { kind: 'flag' },
  maintainer: { kind: 'text' },
  icon: { kind: 'text', inFiles: 'maybe' },
  displayOnWebsiteLib: { kind: 'flag', inFiles: 'maybe' },
  type: { kind: 'text', inFiles: 'maybe' },
  imageLink: { kind: 'text', inFiles: 'maybe' },
  versions: { kind: 'versions', inFiles: 'maybe', usual: [], sent: false },
} satisfies FieldTable<RepositoryRow, Omit<RepositoryRow, 'id' | 'versions'>>)
