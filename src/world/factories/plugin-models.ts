import type { Columns } from './columns.ts'
import { json, type Models, nullable, primaryKey } from './library.ts'

/** Plugins and all around them, column by column. */
export function pluginModels({ fake, id, share }: Columns): Models {
  return {
    repository: {
      name: String,
      url: primaryKey(String),
      description: String,
      verified: () => share(0.6),
      maintainer: () => (share(0.4) ? 'official' : 'community'),
      versions: json(() => []),
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: nullable(String),
      url: nullable(String),
      icon: nullable(() =>
        share(0.5) ? `https://example.com/icons/${fake.word.noun()}.png` : null,
      ),
      config_schema: json(() => ({})),
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: () => share(0.04),
      organization: String,
      capabilities: json(() => ({})),
      metrics: json(() => ({})),
      public_jobs: json(() => ({})),
      source: json(() => ({})),
      revision: () => 0,
    },
    plugin_configs: {
      id,
      plugin: Number,
      project: Number,
      enabled: () => share(0.65),
      order: Number,
      config: json(() => ({})),
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
      detail: json(() => ({})),
      created_at: String,
    },
  }
}
