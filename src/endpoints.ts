import { annotationEndpoints } from './annotations/index.ts'
import type { World } from './beginning.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createPathItems, type PathItem } from './http/route.ts'
import { pluginEndpoints } from './plugins/index.ts'
import { projectEndpoints } from './projects/index.ts'

/** Every endpoint of the service, in the order in which documents list them. */
export const endpoints: readonly Endpoint<World>[] = [
  ...pluginEndpoints,
  ...annotationEndpoints,
  ...projectEndpoints,
]

/** The same by path, put together once for all simulators. */
export const pathItems: readonly PathItem<World>[] = createPathItems(endpoints)
