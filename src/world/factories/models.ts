import { type ColumnHelpers, createColumnHelpers } from './columns.ts'
import {
  type CreateRow,
  createModelFactory,
  type Model,
  nullable,
  type SeededFaker,
} from './library.ts'
import type { ListName } from './made.ts'
import { peopleModels } from './people-models.ts'
import { pluginModels } from './plugin-models.ts'

/**
 * What makes rows of each list, by models that have the default of each column. A bare `String` or `Number` has
 * none: its value comes from a draft, since it goes with other rows or columns.
 */
export function createModels(fake: SeededFaker): { readonly [List in ListName]: CreateRow } {
  const columns = createColumnHelpers(fake)
  const models = {
    ...peopleModels(columns),
    ...pluginModels(columns),
    annotations: annotationModel(columns),
  }
  return createModelFactory(models) as { readonly [List in ListName]: CreateRow }
}

function annotationModel({ id, chance }: ColumnHelpers): Model {
  return {
    id,
    content: nullable(String),
    date_marker: nullable(String),
    creation_type: String,
    dashboard_item: nullable(Number),
    created_by: nullable(Number),
    created_at: nullable(String),
    updated_at: String,
    deleted: () => chance(0.03),
    scope: String,
    project: Number,
  }
}
