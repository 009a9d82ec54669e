import { endpoints } from '../api/endpoints.ts'
import { failureFormats } from '../http/failures.ts'
import { annotationScopes } from '../world/entities/annotation.ts'
import { scopeObjects } from '../world/world-format.ts'
import { presets } from './faults/rule.ts'

/** The names that rules, filters and rows can use. @param fixtures the worlds that a sandbox can start from */
export const vocabularyOf = (fixtures: readonly string[]) => ({
  operations: endpoints.map(({ id, summary, method, path }) => ({ id, summary, method, path })),
  errors: Object.keys(failureFormats),
  presets: Object.entries(presets).map(([name, { description }]) => ({ name, description })),
  annotation_scopes: annotationScopes,
  key_scopes: scopeObjects.flatMap((object) => [`${object}:read`, `${object}:write`]),
  fixtures,
})
