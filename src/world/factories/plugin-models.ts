import type { ColumnHelpers } from './columns.ts'
import { jsonColumn, type Models, nullable, primaryKey } from './library.ts'

/** Plugins and all around them, column by column. */
export function pluginModels({ fake, id, chance }: ColumnHelpers): Models {
  return {
    repository: {
      name: String,
      url: primaryKey(String),
      description: String,
      verified: () => chance(0.6),
      maintainer: () => (chance(0.4) ? 'official' : 'community'),
      versions: jsonColumn(() => []),
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: nullable(String),
      url: nullable(String),
      icon: nullable(() =>
        chance(0.5) ? `https://example.com/icons/${fake.word.noun()}.png` : null,
      ),
      config_schema: jsonColumn(() => ({})),
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: () => chance(0.04),
      organization: String,
      capabilities: jsonColumn(() => ({})),
      metrics: jsonColumn(() => ({})),
      public_jobs: jsonColumn(() => ({})),
      source: jsonColumn(() => ({})),
      revision: () => 0,
    },
    plugin_configs: {
      id,
      plugin: Number,
      project: Number,
      enabled: () => chance(0.65),
      order: Number,
      config: jsonColumn(() => ({})),
      name: nullable<string>(() => null),
      description: nullable<string>(() => null),
      deleted: () => false,
      created_at: String,
      updated_at: String,
    },
    activity: {
      id,
      user: nullable(Number),
      organization: String,
      project: nullable(Number),
      activity: String,
      scope: String,
      item_id: String,
      detail: jsonColumn(() => ({})),
      created_at: String,
    },
  }
}
