import type { Json } from '../../utils/json.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field, type RowPlace } from './field.ts'
import type { SourceFiles } from './plugin.ts'

/** A version of a catalogue entry. */
export interface PluginVersion {
  readonly tag: string
  /** The content of its plugin.json */
  readonly plugin_json: { [key: string]: Json }
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
  id: field.id().internal((_: unknown, { index }: RowPlace) => index + 1),
  name: field.text(),
  url: field.text(),
  description: field.text(),
  verified: field.flag(),
  maintainer: field.text(),
  icon: field.text().optional(),
  displayOnWebsiteLib: field.flag().optional(),
  type: field.text().optional(),
  imageLink: field.text().optional(),
  versions: field.versions<readonly PluginVersion[]>().default([]).optional().hidden(),
} satisfies DeclaredFields<RepositoryRow, Omit<RepositoryRow, 'id' | 'versions'>>)
