import { type Columns, toColumns } from './columns.ts'
import { type Create, type Fake, type Model, nullable, toFactory } from './library.ts'
import type { ListName } from './made.ts'
import { peopleModels } from './people-models.ts'
import { pluginModels } from './plugin-models.ts'

/**
 * What makes rows of each list, by models that have the default of each column. A bare `String` or `Number` has
 * none: its value comes from a draft, since it goes with other rows or columns.
 */
export function openModels(fake: Fake): { readonly [List in ListName]: Create } {
  const columns = toColumns(fake)
  const models = {
    ...peopleModels(columns),
    ...pluginModels(columns),
    annotations: annotationModel(columns),
  }
  return toFactory(models) as { readonly [List in ListName]: Create }
}

function annotationModel({ id, share }: Columns): Model {
  return {
    id,
    content: nullable(String),
    date_marker: nullable(String),
    creation_type: String,
    dashboard_item: nullable(Number),
    created_by: nullable(Number),
    created_at: nullable(String),
    updated_at: String,
    deleted: () => share(0.03),
    scope: String,
    project: Number,
  }
}
